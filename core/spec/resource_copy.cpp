#include "core/spec/resource_copy.hpp"

#include "core/spec/app_json.hpp"

namespace slipway::spec {

Resource copy_resource(const Resource& original, const boost::json::object& capabilities) {
  Resource copy = original;
  copy.tags_json.clear();
  if (capabilities.empty()) return copy;
  boost::json::object merged = parse_object(original.capabilities_json, "capabilities");
  for (const auto& entry : capabilities) merged[entry.key()] = entry.value();
  copy.capabilities_json = boost::json::serialize(merged);
  return copy;
}

}  // namespace slipway::spec
