#include "sdk/check/host/hostile_app.hpp"

#include <vector>

#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

constexpr std::int32_t kFromTheFuture = 9999;

class Writer {
 public:
  Writer(GuardedMemory& memory, Awkwardness how) : memory_(memory), how_(how) {}

  const slipway_app_def* app(const AppDef& from) {
    std::vector<slipway_role> roles;
    for (const Role& item : from.roles) roles.push_back(role(item));
    auto out = abi::sized<slipway_app_def>();
    out.name = memory_.text(from.name);
    out.roles = memory_.array<slipway_role_array>(roles, how_.extra_stride);
    out.metadata = dict(from.metadata);
    return memory_.object(out);
  }

  slipway_role role(const Role& from) {
    auto out = abi::sized<slipway_role>();
    out.retry_policy =
        how_.unknown_values ? kFromTheFuture : static_cast<std::int32_t>(from.retry_policy);
    out.name = memory_.text(from.name);
    out.image = memory_.text(from.image);
    out.base_image = optional_text(from.base_image);
    out.entrypoint = memory_.text(from.entrypoint);
    out.args = list(from.args);
    out.env = dict(from.env);
    out.num_replicas = from.num_replicas;
    out.min_replicas = from.min_replicas.value_or(-1);
    out.max_retries = from.max_retries;
    out.resource = from.resource == Resource{} ? nullptr : resource(from.resource);
    out.port_map = numbers(from.port_map);
    out.mounts = mounts(from.mounts);
    out.metadata_json = optional_text(from.metadata_json);
    out.scheduler_resources = memory_.array<slipway_scheduler_resource_array>(
        std::vector<slipway_scheduler_resource>{}, how_.extra_stride);
    return out;
  }

  const slipway_cfg* cfg(const Cfg& from) {
    std::vector<slipway_cfg_entry> entries;
    for (const auto& [key, value] : from.values()) entries.push_back(entry(key, value));
    if (how_.unknown_values) {
      entries.push_back(entry("option_of_another_scheduler", std::string("x")));
      entries.push_back(entry("option_of_another_version", std::string("x")));
      entries.back().type = kFromTheFuture;
    }
    return memory_.object(memory_.array<slipway_cfg>(entries, how_.extra_stride));
  }

 private:
  slipway_str optional_text(const std::string& value) {
    return value.empty() ? slipway_str{nullptr, 0} : memory_.text(value);
  }
  slipway_str_array list(const StrList& from) {
    std::vector<slipway_str> out;
    for (const std::string& item : from) out.push_back(memory_.text(item));
    return memory_.array<slipway_str_array>(out, how_.extra_stride);
  }
  slipway_kv_array dict(const StrDict& from) {
    std::vector<slipway_kv> out;
    for (const auto& [key, value] : from) out.push_back({memory_.text(key), memory_.text(value)});
    return memory_.array<slipway_kv_array>(out, how_.extra_stride);
  }
  slipway_kv_i64_array numbers(const IntDict& from) {
    std::vector<slipway_kv_i64> out;
    for (const auto& [key, value] : from) out.push_back({memory_.text(key), value});
    return memory_.array<slipway_kv_i64_array>(out, how_.extra_stride);
  }
  const slipway_resource* resource(const Resource& from) {
    auto out = abi::sized<slipway_resource>();
    out.cpu = from.cpu;
    out.gpu = from.gpu;
    out.mem_mb = from.mem_mb;
    out.capabilities_json = optional_text(from.capabilities_json);
    out.devices = numbers(from.devices);
    out.tags_json = optional_text(from.tags_json);
    return memory_.object(out);
  }
  slipway_mount_array mounts(const std::vector<Mount>& from) {
    std::vector<slipway_mount> out;
    for (const Mount& item : from) {
      auto mount = abi::sized<slipway_mount>();
      mount.kind = how_.unknown_values ? kFromTheFuture : static_cast<std::int32_t>(item.kind);
      mount.src = memory_.text(item.src);
      mount.dst = memory_.text(item.dst);
      mount.permissions = memory_.text(item.permissions);
      mount.read_only = item.read_only ? 1 : 0;
      out.push_back(mount);
    }
    return memory_.array<slipway_mount_array>(out, how_.extra_stride);
  }
  slipway_cfg_entry entry(const std::string& key, const Value& value) {
    auto out = abi::sized<slipway_cfg_entry>();
    out.type = static_cast<std::int32_t>(type_of(value));
    out.key = memory_.text(key);
    if (const auto* text = std::get_if<std::string>(&value)) out.text = memory_.text(*text);
    if (const auto* number = std::get_if<std::int64_t>(&value)) out.integer = *number;
    if (const auto* truth = std::get_if<bool>(&value)) out.integer = *truth ? 1 : 0;
    if (const auto* real = std::get_if<double>(&value)) out.real = *real;
    out.list = list({});
    out.dict = dict({});
    if (const auto* items = std::get_if<StrList>(&value)) out.list = list(*items);
    if (const auto* pairs = std::get_if<StrDict>(&value)) out.dict = dict(*pairs);
    return out;
  }

  GuardedMemory& memory_;
  Awkwardness how_;
};

}  // namespace

const slipway_app_def* hostile_app(GuardedMemory& memory, const AppDef& app, Awkwardness how) {
  return Writer(memory, how).app(app);
}

const slipway_role* hostile_role(GuardedMemory& memory, const Role& role, Awkwardness how) {
  return memory.object(Writer(memory, how).role(role));
}

const slipway_cfg* hostile_cfg(GuardedMemory& memory, const Cfg& cfg, Awkwardness how) {
  return Writer(memory, how).cfg(cfg);
}

}  // namespace slipway::check
