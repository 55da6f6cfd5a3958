#include "plugins/local/scheduler/role_metadata.hpp"

#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

namespace json = boost::json;

constexpr std::string_view kLocal = "local";
constexpr std::string_view kReadyKey = "local.ready";

/// Adds the keys below `name`, or `name` itself if it is not a table of keys.
void add_flat(json::object& out, const std::string& name, const json::value& value) {
  if ((name != kLocal && name != kReadyKey) || !value.is_object()) {
    out[name] = value;
    return;
  }
  for (const auto& [key, inner] : value.get_object())
    add_flat(out, name + '.' + std::string(key), inner);
}

}  // namespace

json::object local_keys(const Role& role) {
  json::object out;
  if (role.metadata_json.empty()) return out;
  boost::system::error_code error;
  const json::value all = json::parse(role.metadata_json, error);
  if (error || !all.is_object()) return out;
  for (const auto& [key, value] : all.get_object()) {
    const std::string name(key);
    if (name == kLocal ? value.is_object() : name.starts_with(std::string(kLocal) + '.'))
      add_flat(out, name, value);
  }
  return out;
}

void check_keys(const Role& role) {
  std::string unknown;
  for (const auto& [key, value] : local_keys(role)) {
    const std::string name(key);
    if (name == kDependsOnKey || name == kReadyKey || name.starts_with(kReadyPrefix)) continue;
    unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (unknown.empty()) return;
  throw Error(Code::kInvalid, "role " + role.name + ": the metadata has unknown keys: " + unknown,
              "the keys that begin with local. are " + std::string(kDependsOnKey) + " and " +
                  std::string(kReadyPrefix) + "*");
}

}  // namespace slipway::local
