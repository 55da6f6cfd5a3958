#include "core/runner/option_value.hpp"

#include <fmt/format.h>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

using spec::Node;
using spec::NodeType;

class Reader {
 public:
  Reader(ValueType wanted, const std::string& key, const std::string& source)
      : wanted_(wanted), key_(key), source_(source) {}

  Value value(const Node& node) const {
    switch (node.type) {
      case NodeType::kNull: return std::monostate{};
      case NodeType::kBool: return node.boolean;
      case NodeType::kInt: return node.integer;
      case NodeType::kFloat: return node.real;
      case NodeType::kString: return node.text;
      case NodeType::kList: {
        StrList list;
        for (const Node& item : node.items) list.push_back(text(item, wanted_ == ValueType::kList));
        return list;
      }
      case NodeType::kTable: {
        StrDict dict;
        for (const spec::NodeEntry& entry : node.entries)
          set(dict, entry.key, text(entry.value, wanted_ == ValueType::kDict));
        return dict;
      }
      case NodeType::kBigInt:
      case NodeType::kDateTime: break;
    }
    refuse(node, "a text, a number, true, false, a list or a dict");
  }

 private:
  std::string text(const Node& item, bool convert) const {
    if (item.type == NodeType::kString) return item.text;
    if (!convert) refuse(item, "a string");
    switch (item.type) {
      case NodeType::kNull: return "None";
      case NodeType::kBool: return item.boolean ? "True" : "False";
      case NodeType::kInt: return std::to_string(item.integer);
      case NodeType::kBigInt: return item.text;
      case NodeType::kFloat: return spec::float_text(item.real);
      default: refuse(item, "a text, a number, true or false");
    }
  }

  [[noreturn]] void refuse(const Node& node, const char* expected) const {
    throw Error(Code::kInvalid,
                fmt::format("run option {}: expected {}, found {}", key_, expected, describe(node)),
                {}, spec::to_string(spec::Position{source_, node.at.line, node.at.column}));
  }

  ValueType wanted_;
  const std::string& key_;
  const std::string& source_;
};

}  // namespace

Value option_value(const Node& node, ValueType wanted, const std::string& key,
                   const std::string& source) {
  return Reader(wanted, key, source).value(node);
}

}  // namespace slipway
