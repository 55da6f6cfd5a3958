// An app as plain values: roles of replicas, what they need, and how to write one down fluently.
// The words, fields, defaults and sentinels are TorchX's (`torchx.specs`).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/abi/app.h"
#include "slipway/dict.hpp"

namespace slipway {

/// TorchX's placeholder for an entrypoint or image that nobody gave.
inline constexpr const char* kMissing = "<MISSING>";
/// TorchX's text for "nothing to say" in messages.
inline constexpr const char* kNoneText = "<NONE>";

/// What a replica asks of its host. -1 means "not said"; all three at -1 is TorchX's NULL_RESOURCE.
struct Resource {
  std::int32_t cpu = -1;
  std::int32_t gpu = -1;
  std::int64_t mem_mb = -1;       ///< MiB
  std::string capabilities_json;  ///< a JSON object, or empty for none
  IntDict devices;                ///< device name -> count
  std::string tags_json;          ///< a JSON object, or empty for none

  bool is_null() const { return cpu == -1 && gpu == -1 && mem_mb == -1; }
  friend bool operator==(const Resource& a, const Resource& b) {
    return a.cpu == b.cpu && a.gpu == b.gpu && a.mem_mb == b.mem_mb &&
           a.capabilities_json == b.capabilities_json && a.devices == b.devices &&
           a.tags_json == b.tags_json;
  }
};

enum class RetryPolicy : std::int32_t {
  kApplication = SLIPWAY_RETRY_APPLICATION,
  kReplica = SLIPWAY_RETRY_REPLICA,
  kRole = SLIPWAY_RETRY_ROLE,
};

enum class MountKind : std::int32_t {
  kBind = SLIPWAY_MOUNT_BIND,
  kVolume = SLIPWAY_MOUNT_VOLUME,
  kDevice = SLIPWAY_MOUNT_DEVICE,
};

/// A bind, volume or device mount. `src` is a path, a volume's name or a device's path.
struct Mount {
  MountKind kind = MountKind::kBind;
  std::string src;
  std::string dst;
  bool read_only = false;           ///< bind and volume
  std::string permissions = "rwm";  ///< device: a subset of "rwm"
};

/// Changes the request that `scheduler` has made of the app before it is scheduled: gets it as one
/// JSON object and returns a JSON merge patch (RFC 7386) to it; an empty text changes nothing.
/// Semantics: TorchX's `Role.pre_proc`.
using PreProc =
    std::function<std::string(const std::string& scheduler, const std::string& request_json)>;

/// A program and how many copies of it run. The members may be set directly; the functions below
/// are the fluent form (`Role("ps").runs("ps.py", {"--x", "1"}).on(image).replicas(10)`), each
/// returns the role itself.
struct Role {
  std::string name;
  std::string image;
  std::string base_image;
  std::string entrypoint = kMissing;
  StrList args;
  StrDict env;
  std::int32_t num_replicas = 1;
  std::optional<std::int32_t> min_replicas;
  std::int32_t max_retries = 0;
  RetryPolicy retry_policy = RetryPolicy::kApplication;
  Resource resource;
  Dict<Resource> scheduler_resources;  ///< by scheduler; taken instead of `resource` there
  IntDict port_map;
  std::vector<Mount> mounts;
  std::string metadata_json;          ///< a JSON object, or empty for none
  std::string deployment_preference;  ///< TSM's; accepted, and ignored by every scheduler
  /// Called by the Runner's dry run; empty: none. Of this process alone: no app file and no plug-in
  /// gets it.
  PreProc pre_proc;

  Role() = default;
  explicit Role(std::string role_name) : name(std::move(role_name)) {}

  Role& runs(std::string program, StrList arguments = {}) {
    entrypoint = std::move(program);
    args = std::move(arguments);
    return *this;
  }
  Role& on(std::string image_name) {
    image = std::move(image_name);
    return *this;
  }
  /// num_replicas
  Role& replicas(std::int32_t count) {
    num_replicas = count;
    return *this;
  }
  Role& with_env(std::string_view key, std::string value) {
    set(env, key, std::move(value));
    return *this;
  }
  Role& require(Resource needed) {
    resource = std::move(needed);
    return *this;
  }
  /// What a replica needs on that scheduler alone, in place of what it needs elsewhere (TSM:
  /// `Container.require`).
  Role& require(Resource needed, std::string_view scheduler) {
    set(scheduler_resources, scheduler, std::move(needed));
    return *this;
  }
  Role& port(std::string_view port_name, std::int64_t number) {
    set(port_map, port_name, number);
    return *this;
  }
  Role& ports(const IntDict& numbers) {
    for (const auto& [port_name, number] : numbers) set(port_map, port_name, number);
    return *this;
  }
  Role& mount(Mount what) {
    mounts.push_back(std::move(what));
    return *this;
  }
  Role& before_schedule(PreProc change) {
    pre_proc = std::move(change);
    return *this;
  }
  Role& retries(std::int32_t count, RetryPolicy policy = RetryPolicy::kApplication) {
    max_retries = count;
    retry_policy = policy;
    return *this;
  }
};

struct AppDef {
  std::string name;
  std::vector<Role> roles;
  StrDict metadata;

  AppDef() = default;
  explicit AppDef(std::string app_name) : name(std::move(app_name)) {}
  /// Appends a role and returns the app itself.
  AppDef& of(Role role) {
    roles.push_back(std::move(role));
    return *this;
  }
};

inline const char* to_string(RetryPolicy policy) {
  switch (policy) {
    case RetryPolicy::kReplica: return "REPLICA";
    case RetryPolicy::kRole: return "ROLE";
    case RetryPolicy::kApplication: break;
  }
  return "APPLICATION";
}

inline const char* to_string(MountKind kind) {
  switch (kind) {
    case MountKind::kVolume: return "volume";
    case MountKind::kDevice: return "device";
    case MountKind::kBind: break;
  }
  return "bind";
}

}  // namespace slipway
