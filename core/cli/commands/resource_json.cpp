#include "core/cli/commands/resource_json.hpp"

#include "core/cli/output/json_output.hpp"
#include "core/spec/app_json.hpp"

namespace slipway::cli {

namespace json = boost::json;

namespace {

json::array texts(const std::vector<std::string>& from) {
  json::array out;
  for (const std::string& text : from) out.emplace_back(text);
  return out;
}

}  // namespace

json::object resource_json(const resources::ResourceEntry& entry) {
  json::object out = spec::to_json(entry.resolved.resource);
  if (entry.error) {
    for (auto& [key, value] : out) value = nullptr;
  }
  json::object schedulers;
  for (const auto& [scheduler, resource] : entry.resolved.on_schedulers)
    schedulers[scheduler] = spec::to_json(resource);
  out["source"] = entry.source;
  out["origin"] = entry.origin;
  out["inherits"] = texts(entry.resolved.inherited);
  out["shadows"] = texts(entry.shadows);
  out["deprecated"] = text_or_null(entry.resolved.deprecated);
  out["schedulers"] = std::move(schedulers);
  out["error"] = entry.error ? error_json(*entry.error).at("error") : json::value(nullptr);
  return out;
}

}  // namespace slipway::cli
