// The launch plan: the resolved commands that the supervisor starts, and the rules for them. The
// scheduler makes it, and launch_app() records it as `plan.bin`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/cgroup_place.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/replica_needs.hpp"
#include "slipway/macros.hpp"

namespace slipway::local {

inline constexpr char kPlanName[] = "plan.bin";
/// Bytes; a larger `plan.bin` is not read.
inline constexpr std::size_t kMostPlanBytes = std::size_t{1} << 30;

/// More than any machine has.
inline constexpr std::int32_t kMostGpus = 4096;
/// Ten years, which do not overflow in nanoseconds.
inline constexpr std::int64_t kLongestTimeMs = std::int64_t{3650} * 24 * 3600 * 1000;

/// Replicas of one role that differ only in their number.
///
/// A role may have several groups, for instance one per replica if each has its own devices. The
/// groups of a role are neighbours, and their replica numbers ascend.
struct LaunchGroup {
  std::string role;  ///< a safe name (app_ref.hpp); also the name of the role's log directory
  std::int32_t first_replica = 0;  ///< number of the first replica, within the role
  std::int32_t count = 0;          ///< > 0
  /// Whether the supervisor replaces macros such as `${app_id}`, for each replica, in argv[1..] and
  /// in the values of `env`.
  bool expand_macros = false;
  std::vector<std::string> argv;  ///< not empty; argv[0] is the program, without macros
  /// Variables that replace those of LaunchPlan::environment, in this order. The value of PATH goes
  /// in front of the inherited PATH instead.
  std::vector<std::pair<std::string, std::string>> env;
  std::string cwd;       ///< absolute working directory, without macros
  std::string img_root;  ///< value of `${img_root}`
  RoleRules rules;       ///< the same in all groups of a role
  /// TCP ports by name, for status and probes. Replicas find their ports in `env`.
  std::vector<std::pair<std::string, std::uint16_t>> ports;
  ReplicaNeeds needs;
};

/// One app, ready to start.
struct LaunchPlan {
  std::string app_id;       ///< a safe name
  std::string app_name;     ///< any text
  std::string session;      ///< a safe name
  std::string scheduler;    ///< such as `local_cwd`
  MachineIdentity machine;  ///< the machine of the app; launch_app() fills it in
  /// Place of the app among the submissions below its state root: a wall-clock time, increased if
  /// necessary to exceed the place and the end of every earlier app (order_after() in
  /// app_list.hpp).
  std::int64_t order = 0;
  /// Absolute log directory of this app, which must not exist. Empty: launch_app() fills in `logs`
  /// in the app's record.
  std::string log_dir;
  std::string rank0_env;  ///< value of `${rank0_env}`
  std::vector<LaunchGroup> groups;
  /// `KEY=VALUE` of the submitter; every replica inherits them.
  std::vector<std::string> environment;
  /// Absolute paths of the lock files of the app's images. The supervisor holds a shared lock
  /// (flock) on each, so that the images stay.
  std::vector<std::string> held_files;
  std::string lease_pool;  ///< pool of the app's leases (machine_leases.hpp); empty: no leases
  std::int32_t machine_gpus = 0;  ///< number of GPUs of the machine; > 0 if a group needs any
  /// Names of the variables that get the numbers of a replica's GPUs (`0,1`).
  std::vector<std::string> gpu_variables;
  CgroupPlace cgroups;         ///< for groups whose limits cgroups enforce
  bool owned = false;          ///< the supervisor cancels the app when its owner ends
  std::uint32_t spec_crc = 0;  ///< checksum of spec.json; launch_app() fills it in
  LifeRules rules;
  LogRules logs;
};

/// Returns the number of replicas of all groups.
std::int64_t replica_count(const LaunchPlan& plan);

/// Returns the values of macros in replica `replica` (its number within the role) of `group`.
MacroValues macro_values(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica);

/// Returns the number of GPUs that all replicas need together.
std::int64_t gpus_needed(const LaunchPlan& plan);

/// Returns whether a replica may have more than one attempt.
bool has_retries(const LaunchPlan& plan);

/// Checks what launch_app() and the supervisor rely on: safe names, consecutive replica numbers,
/// absolute paths, texts without NUL, rules and needs in their ranges, dependencies on other roles
/// that can be met, at least one role that is not a service, limits of size. Throws kInvalid for
/// the first mistake, with the role if it is in one.
void validate_plan(const LaunchPlan& plan);

/// Returns the bytes of `plan.bin`: magic with version, fields, CRC-32. Never fails.
std::string encode_plan(const LaunchPlan& plan);

/// Returns the plan that encode_plan() encoded. `bytes` are untrusted. Throws OtherVersion for the
/// intact output of another version's encode_plan(), and kInvalid for any other bytes that this
/// version did not make. Allocates no memory for more elements than the bytes can hold.
LaunchPlan decode_plan(std::string_view bytes);

/// Reads and decodes `plan.bin` in `dir_fd`. Throws kDenied if another user may have changed the
/// file, kUnavailable or kTemporary if it cannot be read, and the errors of decode_plan().
LaunchPlan load_plan(int dir_fd);

}  // namespace slipway::local
