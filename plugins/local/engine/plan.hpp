// What the supervisor is to start: resolved to the last detail by the scheduler, recorded as
// `plan.bin`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/cgroup_place.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/replica_needs.hpp"
#include "plugins/local/engine/retry_rules.hpp"
#include "slipway/macros.hpp"

namespace slipway::local {

/// Replicas of one role that differ in nothing but their number.
///
/// A role may be spread over several groups (one per replica when each gets its own devices); the
/// groups of a role stand next to each other, their replica numbers ascending.
struct LaunchGroup {
  std::string role;  ///< a safe name (app_ref.hpp); also the name of the role's log directory
  std::int32_t first_replica = 0;  ///< number of the first replica, within the role
  std::int32_t count = 0;          ///< > 0
  /// Whether `${app_id}` and the other macros are substituted per replica in argv[1..] and in the
  /// values of `env`.
  bool expand_macros = false;
  std::vector<std::string> argv;  ///< argv[0] is the program, never expanded; at least that one
  /// Laid over LaunchPlan::environment in this order. PATH is joined in front of the inherited
  /// PATH.
  std::vector<std::pair<std::string, std::string>> env;
  std::string cwd;       ///< absolute working directory, not expanded
  std::string img_root;  ///< value of `${img_root}`
  RoleRules rules;       ///< the same in all groups of a role
  /// TCP ports by name, for those who ask; replicas are told by `env`.
  std::vector<std::pair<std::string, std::uint16_t>> ports;
  ReplicaNeeds needs;
};

/// One app, ready to start.
struct LaunchPlan {
  std::string app_id;       ///< a safe name
  std::string app_name;     ///< any text
  std::string session;      ///< a safe name
  std::string scheduler;    ///< e.g. `local_cwd`
  MachineIdentity machine;  ///< where the app runs (launch_app fills it in)
  /// Greater than that of every app submitted before below the same state root (order_after in
  /// app_list.hpp): the wall clock, unless that was set back.
  std::int64_t order = 0;
  /// Absolute log directory of this app; it must not exist yet. Empty: `logs` below the app's
  /// record directory (launch_app fills it in).
  std::string log_dir;
  std::string rank0_env;  ///< value of `${rank0_env}`
  std::vector<LaunchGroup> groups;
  std::vector<std::string>
      environment;  ///< `KEY=VALUE` of the submitter, inherited by every replica
  /// Absolute paths of files that are kept locked, shared (flock), while the app is supervised:
  /// they keep its images.
  std::vector<std::string> held_files;
  std::string lease_pool;  ///< pool of the app's leases (machine_leases.hpp); empty: it has none
  std::int32_t machine_gpus = 0;  ///< GPUs that leases are of; > 0 where a group needs any
  /// Variables that are to hold the numbers of a replica's GPUs (`0,1`).
  std::vector<std::string> gpu_variables;
  CgroupPlace cgroups;         ///< where a group's limits are enforced by cgroups
  bool owned = false;          ///< the app is cancelled when its owner goes away
  std::uint32_t spec_crc = 0;  ///< checksum of the app's description; launch_app fills it in
  LifeRules rules;
  LogRules logs;
};

/// Number of replicas of all groups.
std::int64_t replica_count(const LaunchPlan& plan);

/// What the macros stand for in replica `replica` (its number within the role) of `group`.
MacroValues macro_values(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica);

/// GPUs that all replicas need together.
std::int64_t gpus_needed(const LaunchPlan& plan);

/// Whether a replica may ever be started again.
bool has_retries(const LaunchPlan& plan);

/// Checks everything launch_app relies on: names, counts, absolute paths, no NUL bytes, no replica
/// twice, rules in range, the size limits. Throws kInvalid that names the role.
void validate_plan(const LaunchPlan& plan);

/// The text of `plan.bin`: magic, version, length-prefixed fields, CRC-32 at the end. Never fails.
std::string encode_plan(const LaunchPlan& plan);

/// The reverse. `bytes` are untrusted: the intact output of another version's encode_plan throws
/// OtherVersion, anything else but that of this version kInvalid; no length in it is believed
/// before it is compared with what is there.
LaunchPlan decode_plan(std::string_view bytes);

/// decode_plan() of the file `plan.bin` in `dir_fd`. Throws kDenied when other users may write to
/// the file, and kUnavailable when it cannot be read.
LaunchPlan load_plan(int dir_fd);

}  // namespace slipway::local
