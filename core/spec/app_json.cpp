#include "core/spec/app_json.hpp"

#include "core/spec/document.hpp"
#include "sdk/support/app_json.hpp"

namespace slipway::spec {
namespace json = boost::json;
namespace {

json::object object_of(const Node& table);

json::value value_of(const Node& node) {
  switch (node.type) {
    case NodeType::kNull: return nullptr;
    case NodeType::kBool: return node.boolean;
    case NodeType::kInt: return node.integer;
    case NodeType::kBigInt: return json::parse(node.text);
    case NodeType::kFloat: return node.real;
    case NodeType::kString:
    case NodeType::kDateTime: return json::value(json::string(node.text));
    case NodeType::kTable: return object_of(node);
    case NodeType::kList: break;
  }
  json::array array;
  array.reserve(node.items.size());
  for (const Node& item : node.items) array.push_back(value_of(item));
  return array;
}

json::object object_of(const Node& table) {
  json::object object;
  object.reserve(table.entries.size());
  for (const NodeEntry& entry : table.entries) object.emplace(entry.key, value_of(entry.value));
  return object;
}

}  // namespace

json::object parse_object(std::string_view text, const std::string& what) {
  if (text.empty()) return {};
  try {
    const Node node = parse_json(text, what);
    if (node.type == NodeType::kTable) return object_of(node);
    throw Error(Code::kInvalid, what + ": expected a JSON object, found " + describe(node));
  } catch (const InvalidApp& invalid) {
    const Problem& why = invalid.problems().front();
    throw Error(Code::kInvalid, what + ": expected a JSON object: " + why.message);
  }
}

json::object to_json(const AppDef& app) { return AppJsonWriter(&parse_object).object(app); }

json::object to_json(const Resource& resource) {
  return AppJsonWriter(&parse_object).object(resource);
}

}  // namespace slipway::spec
