#include "sdk/support/rules/role_metadata.hpp"

#include "sdk/support/role_keys.hpp"
#include "slipway/error.hpp"

namespace slipway::rules {

namespace {

namespace json = boost::json;

constexpr std::string_view kLocal = "local";
constexpr std::string_view kReady = "ready";
constexpr std::string_view kLocalReady = "local.ready";
constexpr std::string_view kDependsOn = "depends_on";
constexpr std::string_view kLocalDependsOn = "local.depends_on";

/// Adds the keys below `name`, or `name` itself if it is not a table of keys.
void add_flat(json::object& out, const std::string& name, const json::value& value) {
  if ((name != kLocal && name != kLocalReady && name != kReady) || !value.is_object()) {
    out[name] = value;
    return;
  }
  for (const auto& [key, inner] : value.get_object())
    add_flat(out, name + '.' + std::string(key), inner);
}

bool has_prefix(std::string_view name, std::string_view table) {
  return name.starts_with(table) && name.size() > table.size() && name[table.size()] == '.';
}

[[noreturn]] void refuse_both(const Role& role, std::string_view key) {
  throw Error(
      Code::kInvalid,
      std::string(key) + " and local." + std::string(key) + " in metadata say the same thing",
      "remove one of them", role.name);
}

}  // namespace

json::object local_keys(const Role& role) {
  json::object out;
  for (const auto& [key, value] : metadata_of(role)) {
    const std::string name(key);
    const std::string own(role_key_in(name));
    if (own == kReady || own == kDependsOn) {
      add_flat(out, own, value);
    } else if (name == kLocal ? value.is_object() : has_prefix(name, kLocal)) {
      // A `local` that is not a table is not a key of Slipway.
      add_flat(out, name, value);
    }
  }
  return out;
}

std::optional<std::string_view> below_ready(std::string_view name) {
  for (const std::string_view table : {kReady, kLocalReady}) {
    if (has_prefix(name, table)) return name.substr(table.size() + 1);
  }
  return std::nullopt;
}

const json::key_value_pair* depends_on_in(const json::object& keys) {
  for (const std::string_view name : {kDependsOn, kLocalDependsOn}) {
    const auto found = keys.find(name);
    if (found != keys.end()) return &*found;
  }
  return nullptr;
}

std::string own_cwd(const Role& role) {
  const json::object metadata = metadata_of(role);
  const json::value* const own = metadata.if_contains("slipway.cwd");
  return own != nullptr && own->is_string() ? std::string(own->get_string()) : std::string();
}

void check_keys(const Role& role) {
  std::string unknown;
  bool has_ready = false;
  bool has_local_ready = false;
  const json::object keys = local_keys(role);
  for (const auto& [key, value] : keys) {
    const std::string name(key);
    has_ready = has_ready || name == kReady || has_prefix(name, kReady);
    has_local_ready = has_local_ready || name == kLocalReady || has_prefix(name, kLocalReady);
    // role_order() checks the value of depends_on, and ready_probe() everything about readiness.
    if (name == kDependsOn || name == kLocalDependsOn || name == kReady || name == kLocalReady ||
        below_ready(name))
      continue;
    unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (has_ready && has_local_ready) refuse_both(role, kReady);
  if (keys.contains(kDependsOn) && keys.contains(kLocalDependsOn)) refuse_both(role, kDependsOn);
  if (unknown.empty()) return;
  throw Error(Code::kInvalid, "role " + role.name + ": the metadata has unknown keys: " + unknown,
              "the keys that begin with local. are " + std::string(kLocalDependsOn) + " and " +
                  std::string(kLocalReady) + ".*");
}

}  // namespace slipway::rules
