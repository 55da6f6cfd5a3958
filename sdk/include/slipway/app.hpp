// An app as plain values: roles, resources and mounts, with functions to build one. Names, fields,
// defaults and sentinels are those of TorchX (`torchx.specs`).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/abi/app.h"
#include "slipway/cpu_count.hpp"
#include "slipway/dict.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// TorchX's placeholder for a missing entrypoint or image.
inline constexpr const char* kMissing = "<MISSING>";
/// TorchX's text for a missing value, such as the image of `utils.binary`.
inline constexpr const char* kNoneText = "<NONE>";

/// The CPUs, GPUs, memory and devices for one replica. -1 means "not set". A resource whose `cpu`,
/// `gpu` and `mem_mb` are not set is TorchX's NULL_RESOURCE.
struct Resource {
  CpuCount cpu;
  std::int32_t gpu = -1;
  std::int64_t mem_mb = -1;       ///< MiB
  std::string capabilities_json;  ///< a JSON object, or empty for none
  IntDict devices;                ///< device name -> count
  std::string tags_json;          ///< a JSON object, or empty for none

  /// Returns whether neither `cpu` nor `gpu` nor `mem_mb` is set.
  bool is_null() const { return !cpu.is_set() && gpu == -1 && mem_mb == -1; }
  friend bool operator==(const Resource& a, const Resource& b) {
    return a.cpu == b.cpu && a.gpu == b.gpu && a.mem_mb == b.mem_mb &&
           a.capabilities_json == b.capabilities_json && a.devices == b.devices &&
           a.tags_json == b.tags_json;
  }
};

/// The replicas that the scheduler restarts if a replica fails and retries remain.
enum class RetryPolicy : std::int32_t {
  kApplication = SLIPWAY_RETRY_APPLICATION,
  kReplica = SLIPWAY_RETRY_REPLICA,
  kRole = SLIPWAY_RETRY_ROLE,
};

/// The kinds of mounts; see Mount.
enum class MountKind : std::int32_t {
  kBind = SLIPWAY_MOUNT_BIND,
  kVolume = SLIPWAY_MOUNT_VOLUME,
  kDevice = SLIPWAY_MOUNT_DEVICE,
};

/// A bind, volume or device mount.
struct Mount {
  MountKind kind = MountKind::kBind;
  std::string src;                  ///< a path, a volume's name, or a device's path
  std::string dst;                  ///< the path in the replica
  bool read_only = false;           ///< for bind and volume mounts
  std::string permissions = "rwm";  ///< for device mounts, a subset of "rwm"
};

/// Changes the request for an app before the host schedules it, like TorchX's `Role.pre_proc`. Gets
/// the scheduler's name and the request as one JSON object. Returns a JSON merge patch (RFC 7386),
/// or an empty text for no change.
using PreProc =
    std::function<std::string(const std::string& scheduler, const std::string& request_json)>;

/// A program that runs as several replicas. slipway_role in abi/app.h describes the members that
/// have no comment here. Callers may set the members directly or with the functions, each of which
/// returns the role: `Role("ps").runs("ps.py", {"--x", "1"}).on(image).replicas(10)`.
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
  Dict<Resource> scheduler_resources;  ///< by scheduler, which uses it instead of `resource`
  IntDict port_map;
  std::vector<Mount> mounts;
  std::string metadata_json;          ///< a JSON object, or empty for none
  std::string deployment_preference;  ///< of TSM, for information
  /// May be empty. Runner::dryrun() calls it once. With a workspace, Runner::schedule() calls it
  /// again, for the request with the copy. Exists only in this process: neither app files nor
  /// plug-ins get it.
  PreProc pre_proc;

  Role() = default;
  explicit Role(std::string role_name) : name(std::move(role_name)) {}

  /// Sets `entrypoint` and `args`.
  Role& runs(std::string program, StrList arguments = {}) {
    entrypoint = std::move(program);
    args = std::move(arguments);
    return *this;
  }
  /// Sets `image`.
  Role& on(std::string image_name) {
    image = std::move(image_name);
    return *this;
  }
  /// Sets `num_replicas`.
  Role& replicas(std::int32_t count) {
    num_replicas = count;
    return *this;
  }
  /// Sets one variable in `env`.
  Role& with_env(std::string_view key, std::string value) {
    set(env, key, std::move(value));
    return *this;
  }
  /// Sets `resource`.
  Role& require(Resource needed) {
    resource = std::move(needed);
    return *this;
  }
  /// Sets the resource that `scheduler` uses instead of `resource`, like `Container.require` of TSM
  /// (TorchX's ancestor).
  Role& require(Resource needed, std::string_view scheduler) {
    set(scheduler_resources, scheduler, std::move(needed));
    return *this;
  }
  /// Sets one port in `port_map`; 0 asks the scheduler for a free one.
  Role& port(std::string_view port_name, std::int64_t number) {
    set(port_map, port_name, number);
    return *this;
  }
  /// Sets several ports in `port_map`.
  Role& ports(const IntDict& numbers) {
    for (const auto& [port_name, number] : numbers) set(port_map, port_name, number);
    return *this;
  }
  /// Appends to `mounts`.
  Role& mount(Mount what) {
    mounts.push_back(std::move(what));
    return *this;
  }
  /// Sets `pre_proc`.
  Role& before_schedule(PreProc change) {
    pre_proc = std::move(change);
    return *this;
  }
  /// Sets `max_retries` and `retry_policy`.
  Role& retries(std::int32_t count, RetryPolicy policy = RetryPolicy::kApplication) {
    max_retries = count;
    retry_policy = policy;
    return *this;
  }
};

/// An app: roles that are submitted, succeed and fail together.
struct AppDef {
  std::string name;
  std::vector<Role> roles;
  StrDict metadata;  ///< values of the user, for information

  AppDef() = default;
  explicit AppDef(std::string app_name) : name(std::move(app_name)) {}
  /// Appends a role and returns the app.
  AppDef& of(Role role) {
    roles.push_back(std::move(role));
    return *this;
  }
};

/// Returns whether this version knows the policy. The other side of the boundary may be newer and
/// know more (rule R8 in abi/base.h).
inline bool is_known(RetryPolicy policy) {
  return policy == RetryPolicy::kApplication || policy == RetryPolicy::kReplica ||
         policy == RetryPolicy::kRole;
}
/// Returns whether this version knows the kind of mount.
inline bool is_known(MountKind kind) {
  return kind == MountKind::kBind || kind == MountKind::kVolume || kind == MountKind::kDevice;
}

/// Returns "APPLICATION", "REPLICA" or "ROLE", or "UNKNOWN" for a value of a later version.
inline const char* to_string(RetryPolicy policy) {
  switch (policy) {
    case RetryPolicy::kApplication: return "APPLICATION";
    case RetryPolicy::kReplica: return "REPLICA";
    case RetryPolicy::kRole: return "ROLE";
  }
  return "UNKNOWN";
}

/// Returns "bind", "volume" or "device", or "unknown" for a value of a later version.
inline const char* to_string(MountKind kind) {
  switch (kind) {
    case MountKind::kBind: return "bind";
    case MountKind::kVolume: return "volume";
    case MountKind::kDevice: return "device";
  }
  return "unknown";
}

}  // namespace sdk_1_0
}  // namespace slipway
