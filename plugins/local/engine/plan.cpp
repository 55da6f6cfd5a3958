#include "plugins/local/engine/plan.hpp"

#include <algorithm>
#include <set>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/machine_leases.hpp"
#include "plugins/local/engine/plan_options.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

[[noreturn]] void invalid(const LaunchGroup& group, const std::string& why) {
  throw Error(Code::kInvalid, "role '" + group.role + "': " + why, {}, group.role);
}

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

void validate_strings(const LaunchGroup& group) {
  if (group.argv.empty() || group.argv.front().empty()) invalid(group, "it has no program to run");
  for (const auto& arg : group.argv) {
    if (has_nul(arg)) invalid(group, "an argument contains a NUL byte");
  }
  for (const auto& [key, value] : group.env) {
    if (key.empty() || key.find('=') != std::string::npos || has_nul(key) || has_nul(value)) {
      invalid(group, "'" + key + "' cannot be an environment variable");
    }
  }
  if (group.cwd.empty() || group.cwd.front() != '/' || has_nul(group.cwd)) {
    invalid(group, "the working directory '" + group.cwd + "' is not an absolute path");
  }
}

/// Checks the options of a table against their ranges.
struct RangeCheck {
  void operator()(const Option&, bool, Flag) {}
  void operator()(const Option&, bool, ChosenFlag) {}
  void operator()(const Option&, const RetryFilter&, FailureList) {}
  void operator()(const Option& option, const std::string& value, Text) {
    require(option, !has_nul(value));
  }
  void operator()(const Option& option, std::int64_t value, Count range) {
    require(option, value >= range.least && value <= range.most);
  }
  void operator()(const Option& option, double value, Real range) {
    // A NaN is in no range.
    require(option, value >= range.least && value <= range.most);
  }
  void operator()(const Option& option, std::int64_t ms, Seconds range) {
    const double seconds = static_cast<double>(ms) / 1000;
    require(option, seconds >= range.least && seconds <= range.most);
  }
  void operator()(const Option& option, std::int64_t bytes, Mebibytes range) {
    // A file system can free only whole blocks.
    constexpr std::int64_t kBlock = 4096;
    require(option, bytes >= 0 && bytes >> 20 <= range.most && bytes % kBlock == 0);
  }
  void operator()(const Option&, const Backoff& backoff, BackoffParts) {
    visit_parts(*this, backoff);
  }

 private:
  static void require(const Option& option, bool holds) {
    if (!holds)
      throw Error(Code::kInvalid, std::string("the plan's ") + option.name + " is out of range");
  }
};

void validate_needs(const LaunchGroup& group) {
  const ReplicaNeeds& needs = group.needs;
  if (needs.gpus < 0 || (needs.gpus > 0 && group.count != 1))
    invalid(group, "only a group of one replica may have GPUs");
  if (needs.limits.memory_bytes < 0 || needs.limits.cpu_milli < 0 ||
      needs.limits.enforce > Enforce::kCgroup)
    invalid(group, "its limits are out of range");
  for (const BindMount& mount : needs.mounts) {
    for (const std::string* path : {&mount.src, &mount.dst}) {
      if (path->empty() || path->front() != '/' || has_nul(*path))
        invalid(group, "a mount's '" + *path + "' is not an absolute path");
    }
  }
}

bool is_complete(const ReadyProbe& probe) {
  const bool no_nul = std::none_of(probe.command.begin(), probe.command.end(),
                                   [](const std::string& word) { return has_nul(word); });
  switch (probe.kind) {
    case ReadyProbe::Kind::kNone: return true;
    case ReadyProbe::Kind::kTcp: return probe.port != 0 || !probe.port_name.empty();
    case ReadyProbe::Kind::kCommand:
      return no_nul && !probe.command.empty() && !probe.command.front().empty();
    case ReadyProbe::Kind::kLog: return true;
  }
  return false;
}

void validate_probe(const LaunchGroup& group) {
  const ReadyProbe& probe = group.needs.ready;
  if (!is_complete(probe)) invalid(group, "its readiness probe is incomplete or has a NUL byte");
  const bool in_range = probe.interval_ms > 0 && probe.interval_ms <= kLongestTimeMs &&
                        probe.timeout_ms > 0 && probe.timeout_ms <= kLongestTimeMs &&
                        probe.within_ms >= 0 && probe.within_ms <= kLongestTimeMs;
  if (!in_range) invalid(group, "a time of its readiness probe is out of range");
}

void validate_logs(const LogRules& logs) {
  if (logs.piece_bytes > 0 && !logs.combined)
    throw Error(Code::kInvalid, "logs without combined.log cannot be limited");
  if (logs.pipes && !logs.combined)
    throw Error(Code::kInvalid, "logs without combined.log cannot come through pipes");
}

/// Checks the rules of a role. `previous` is the preceding group of the same role; null: this group
/// is the first one of its role.
void validate_role_rules(const LaunchGroup& group, const LaunchGroup* previous) {
  const RoleRules& rules = group.rules;
  if (rules.max_retries < 0 || rules.min_replicas < 0 || rules.scope > RetryScope::kRole) {
    invalid(group, "its retries are out of range");
  }
  if (previous != nullptr && !(previous->rules == rules))
    invalid(group, "its groups have different rules");
  LifeRules own;
  own.timeout_ms = rules.timeout_ms.value_or(own.timeout_ms);
  own.grace_ms = rules.grace_ms.value_or(own.grace_ms);
  own.backoff = rules.backoff.value_or(own.backoff);
  RangeCheck check;
  visit_life_options(check, own);
}

}  // namespace

std::int64_t replica_count(const LaunchPlan& plan) {
  std::int64_t total = 0;
  for (const auto& group : plan.groups) total += group.count;
  return total;
}

std::int64_t gpus_needed(const LaunchPlan& plan) {
  std::int64_t total = 0;
  for (const auto& group : plan.groups) total += std::int64_t{group.needs.gpus} * group.count;
  return total;
}

bool has_retries(const LaunchPlan& plan) {
  for (const auto& group : plan.groups) {
    if (group.rules.max_retries > 0) return true;
  }
  return false;
}

MacroValues macro_values(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica) {
  MacroValues values;
  values.img_root = group.img_root;
  values.app_id = plan.app_id;
  values.replica_id = std::to_string(replica);
  values.rank0_env = plan.rank0_env;
  return values;
}

void validate_plan(const LaunchPlan& plan) {
  if (!is_safe_name(plan.app_id)) {
    throw Error(Code::kInvalid, "'" + plan.app_id + "' cannot be an app id",
                "an app id is at most 255 bytes, without '/', and does not start with '.'");
  }
  if (!is_safe_name(plan.session)) {
    throw Error(Code::kInvalid, "'" + plan.session + "' cannot be a session name",
                "a session name is at most 255 bytes, without '/', and does not start with '.'");
  }
  if (!plan.log_dir.empty() && (plan.log_dir.front() != '/' || has_nul(plan.log_dir))) {
    throw Error(Code::kInvalid, "the log directory '" + plan.log_dir + "' is not an absolute path");
  }
  RangeCheck check;
  visit_life_options(check, plan.rules);
  visit_log_options(check, plan.logs);
  validate_logs(plan.logs);
  if (plan.groups.empty()) throw Error(Code::kInvalid, "the app has no replica to start");
  std::set<std::string_view> earlier_roles;
  const LaunchGroup* previous = nullptr;
  for (const auto& group : plan.groups) {
    if (!is_safe_name(group.role)) {
      invalid(group,
              "the name cannot be that of a directory (at most 255 bytes, without '/', and "
              "without '.' at the start)");
    }
    if (group.count <= 0 || group.first_replica < 0 ||
        group.first_replica > INT32_MAX - group.count) {
      invalid(group, "its number of replicas is out of range");
    }
    if (previous != nullptr && previous->role != group.role) earlier_roles.insert(previous->role);
    if (earlier_roles.contains(group.role)) invalid(group, "two roles have this name");
    const bool same_role = previous != nullptr && previous->role == group.role;
    if (group.first_replica != (same_role ? previous->first_replica + previous->count : 0)) {
      // A group that begins at 0 again is that of a second role of the same name.
      invalid(group, same_role && group.first_replica == 0 ? "two roles have this name"
                                                           : "replica numbers are not consecutive");
    }
    validate_strings(group);
    validate_needs(group);
    validate_probe(group);
    if (group.needs.limits.enforce == Enforce::kCgroup &&
        (plan.cgroups.memory.empty() || plan.cgroups.cpu.empty()))
      invalid(group, "the plan has no place for its cgroups");
    validate_role_rules(group, same_role ? previous : nullptr);
    previous = &group;
  }
  const auto is_service = [](const LaunchGroup& group) { return group.rules.service; };
  if (std::all_of(plan.groups.begin(), plan.groups.end(), is_service))
    throw Error(Code::kInvalid, "every role of the app is a service");
  if (replica_count(plan) > kMaxReplicas) {
    throw Error(Code::kInvalid,
                "the app has more than " + std::to_string(kMaxReplicas) + " replicas");
  }
  if (plan.machine_gpus < 0 || plan.machine_gpus > kMostGpus ||
      gpus_needed(plan) > plan.machine_gpus) {
    throw Error(Code::kInvalid, "the app needs more GPUs than the machine has");
  }
  if (plan.machine_gpus > 0 && plan.lease_pool.empty())
    throw Error(Code::kInvalid, "the plan has no pool for the leases of its GPUs");
  for (const auto& group : plan.groups) {
    for (const Dependency& one : group.needs.after) {
      const bool known =
          std::any_of(plan.groups.begin(), plan.groups.end(), [&](const LaunchGroup& other) {
            const bool can_be = one.until != Dependency::Until::kHealthy ||
                                other.needs.ready.kind != ReadyProbe::Kind::kNone;
            return other.role == one.role && one.role != group.role && can_be;
          });
      if (!known || one.until > Dependency::Until::kHealthy) {
        invalid(group, "it depends on '" + one.role +
                           "', which is not another role, or has no readiness probe");
      }
    }
  }
  for (const auto& path : plan.held_files) {
    if (path.empty() || path.front() != '/' || has_nul(path))
      throw Error(Code::kInvalid, "the image's lock '" + path + "' is not an absolute path");
  }
  if (plan.lease_pool.size() > kLongestPool || has_nul(plan.lease_pool))
    throw Error(Code::kInvalid, "the name of the lease pool is too long or has a NUL byte");
  for (const auto& entry : plan.environment) {
    if (has_nul(entry) || entry.find('=') == std::string::npos) {
      throw Error(Code::kInvalid, "the submitter's environment has an entry that is not KEY=VALUE");
    }
  }
}

}  // namespace slipway::local
