#include "core/components/run_request.hpp"

#include <utility>
#include <vector>

#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/fields.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::components {
namespace {

using spec::KeyPath;
using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

constexpr std::string_view kRequired[] = {"component_name", "scheduler", "scheduler_args"};

const std::vector<std::string_view>& request_keys() {
  static const std::vector<std::string_view> keys = {
      "component_name",     "scheduler",    "scheduler_args", "scheduler_cfg", "component_args",
      "component_args_str", "dryrun",       "wait",           "log",           "tee_logs",
      "workspace",          "parent_run_id"};
  return keys;
}

class RequestReader {
 public:
  RequestReader(const std::string& source, spec::ProblemList& problems)
      : reader_(source, problems) {}

  RunRequest run(Node& document) {
    const KeyPath root;
    for (NodeEntry& entry : document.entries) read(entry, KeyPath(root, entry.key));
    for (const std::string_view key : kRequired) {
      if (document.find(key) == nullptr) reader_.error(document.at, KeyPath(root, key), "missing");
    }
    return std::move(out_);
  }

 private:
  void read(NodeEntry& entry, const KeyPath& path) {
    Node& value = entry.value;
    const std::string_view key = entry.key;
    std::vector<spec::Mark> unused;
    if (key == "component_name") {
      reader_.string(value, path, out_.component_name);
    } else if (key == "scheduler") {
      reader_.string(value, path, out_.scheduler);
    } else if (key == "scheduler_args") {
      values(value, path, out_.scheduler_args);
    } else if (key == "scheduler_cfg") {
      values(value, path, out_.scheduler_cfg);
    } else if (key == "component_args") {
      values(value, path, out_.component_args);
    } else if (key == "component_args_str") {
      reader_.string_list(value, path, out_.component_args_str, unused);
    } else if (key == "dryrun") {
      reader_.boolean(value, path, out_.dryrun);
    } else if (key == "wait") {
      reader_.boolean(value, path, out_.wait);
    } else if (key == "log") {
      reader_.boolean(value, path, out_.log);
    } else if (key == "tee_logs") {
      reader_.boolean(value, path, out_.tee_logs);
    } else if (key == "workspace") {
      optional_text(value, path, out_.workspace);
    } else if (key == "parent_run_id") {
      optional_text(value, path, out_.parent_run_id);
    } else {
      reader_.unknown_key(entry, path, request_keys());
    }
  }

  void optional_text(Node& value, const KeyPath& path, std::string& out) {
    if (value.type != NodeType::kNull) reader_.string(value, path, out);
  }

  void values(Node& table, const KeyPath& path, Dict<Value>& out) {
    if (!reader_.table(table, path)) return;
    for (NodeEntry& entry : table.entries)
      set(out, entry.key, value_of(entry.value, KeyPath(path, entry.key)));
  }

  // Converts a number or boolean in a list or table to the text that Python prints, because lists
  // and tables of arguments and run options hold only texts.
  static void make_text(Node& item) {
    switch (item.type) {
      case NodeType::kBool: item.text = item.boolean ? "True" : "False"; break;
      case NodeType::kInt: item.text = std::to_string(item.integer); break;
      case NodeType::kFloat: item.text = float_text(item.real); break;
      default: return;
    }
    item.type = NodeType::kString;
  }

  Value value_of(Node& node, const KeyPath& path) {
    std::vector<spec::Mark> unused;
    switch (node.type) {
      case NodeType::kNull: return {};
      case NodeType::kBool: return node.boolean;
      case NodeType::kInt: return node.integer;
      case NodeType::kFloat: return node.real;
      case NodeType::kList: {
        for (Node& item : node.items) make_text(item);
        StrList list;
        reader_.string_list(node, path, list, unused);
        return list;
      }
      case NodeType::kTable: {
        for (NodeEntry& entry : node.entries) make_text(entry.value);
        StrDict dict;
        reader_.string_dict(node, path, dict, unused);
        return dict;
      }
      case NodeType::kBigInt:
        reader_.error(node.at, path, describe(node) + " is out of range");
        return {};
      case NodeType::kString:
      case NodeType::kDateTime: break;
    }
    return std::move(node.text);
  }

  spec::FieldReader reader_;
  RunRequest out_;
};

}  // namespace

RunRequest parse_run_request(std::string_view json, const std::string& source) {
  Node document = spec::parse_json(json, source);
  if (document.type != NodeType::kTable)
    spec::refuse(source, document.at,
                 "expected run arguments, a JSON object, found " + spec::describe(document));
  spec::ProblemList problems;
  RunRequest out = RequestReader(source, problems).run(document);
  problems.throw_if_errors();
  return out;
}

}  // namespace slipway::components
