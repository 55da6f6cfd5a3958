// A LocalRequest as text for people and as JSON.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"
#include "sdk/support/signal_name.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {

namespace {

std::string json_of(const ReplicaCommand& command, bool has_combined) {
  std::string out = "{\"args\":[";
  for (std::size_t i = 0; i < command.args.size(); ++i)
    out += (i == 0 ? "" : ",") + json_quote(command.args[i]);
  out += "],\"env\":{";
  for (std::size_t i = 0; i < command.env.size(); ++i) {
    out += (i == 0 ? "" : ",") + json_quote(command.env[i].first) + ":" +
           json_quote(command.env[i].second);
  }
  out += "},\"stdout\":" + json_quote(command.log_dir + "/stdout.log");
  out += ",\"stderr\":" + json_quote(command.log_dir + "/stderr.log");
  out += ",\"combined\":" + (has_combined ? json_quote(command.log_dir + "/combined.log") : "null");
  out += ",\"cwd\":" + json_quote(command.cwd) + "}";
  return out;
}

/// Returns the names of the app's roles in order, each once: roles of the same name share an entry,
/// as in TorchX's dictionaries. A launch refuses such an app.
std::vector<std::string> role_names(const AppDef& app) {
  std::vector<std::string> out;
  for (const Role& role : app.roles) {
    bool known = false;
    for (const std::string& name : out) known = known || name == role.name;
    if (!known) out.push_back(role.name);
  }
  return out;
}

/// Prints `"name":[item,...]` for each role, with one item for each of its replicas.
template <class Item>
void print_by_role(const LocalRequest& request, const Request::Sink& sink, Item item) {
  bool first_role = true;
  for (const std::string& role : role_names(request.app())) {
    sink((first_role ? "" : ",") + json_quote(role) + ":[");
    first_role = false;
    bool first = true;
    const auto print = [&](const LaunchGroup&, std::int32_t, const ReplicaCommand& command) {
      sink((first ? "" : ",") + item(command));
      first = false;
    };
    request.each_replica(print, &role);
    sink("]");
  }
}

std::string need_line(const std::string& text) { return "  " + text + "\n"; }

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string limits_text(const Limits& limits) {
  constexpr std::int64_t kMiB = 1 << 20;
  std::string out;
  if (limits.memory_bytes > 0) out = std::to_string(limits.memory_bytes / kMiB) + " MiB";
  if (limits.cpu_milli > 0) {
    CpuCount cpus = CpuCount::of_milli(limits.cpu_milli);
    // A replica without a cgroup is bound to whole CPUs.
    if (limits.enforce == Enforce::kRlimit) cpus = CpuCount(cpus.whole());
    out += (out.empty() ? "" : " and ") + to_string(cpus) + (cpus == 1 ? " CPU" : " CPUs");
  }
  if (out.empty() || limits.enforce == Enforce::kNone) return {};
  return need_line(
      "uses: at most " + out +
      (limits.enforce == Enforce::kCgroup ? ", held by a cgroup" : ", each of its processes"));
}

std::string dependency_text(const Dependency& dependency) {
  switch (dependency.until) {
    case Dependency::Until::kStarted: return dependency.role + " has started";
    case Dependency::Until::kSucceeded: return dependency.role + " has succeeded";
    case Dependency::Until::kHealthy: break;
  }
  return dependency.role + " is healthy";
}

std::string probe_condition(const ReadyProbe& probe) {
  if (probe.kind == ReadyProbe::Kind::kLog) return "a line that it writes matches " + probe.pattern;
  if (probe.kind == ReadyProbe::Kind::kTcp) {
    const std::string port =
        probe.port_name.empty() ? std::to_string(probe.port) : '"' + probe.port_name + '"';
    return "it accepts connections at port " + port +
           (probe.address.empty() ? "" : " of " + probe.address);
  }
  return '`' + shell_joined(probe.command) + "` succeeds";
}

std::string probe_text(const ReadyProbe& probe) {
  if (probe.kind == ReadyProbe::Kind::kNone) return {};
  return need_line("ready when " + probe_condition(probe) + "; probed every " +
                   seconds_text(probe.interval_ms) + " s" +
                   (probe.within_ms == 0
                        ? ""
                        : ", stopped if not ready within " + seconds_text(probe.within_ms) + " s"));
}

/// Returns the failures that are retried: "exit 75, SIGTERM, lost".
std::string failures_text(const RetryFilter& filter) {
  if (filter.any) return "any failure";
  StrList out;
  for (const std::int32_t code : filter.exit_codes) out.push_back("exit " + std::to_string(code));
  for (const std::int32_t number : filter.signals) out.push_back(signal_name(number));
  for (const auto& [is_retried, reason] : {std::pair{filter.oom, Reason::kOom},
                                           {filter.lost, Reason::kLost},
                                           {filter.timeout, Reason::kTimeout},
                                           {filter.not_ready, Reason::kNotReady}}) {
    if (is_retried) out.emplace_back(reason_name(reason));
  }
  return joined(out);
}

/// Returns a line about the retries of the role; empty if it has none.
std::string retries_text(const RoleRules& rules, const LifeRules& of_app) {
  if (rules.max_retries == 0) return {};
  const char* restarted = rules.scope == RetryScope::kReplica ? "this replica alone"
                          : rules.scope == RetryScope::kRole  ? "all replicas of the role"
                                                              : "the whole app";
  return need_line("retried: at most " + counted(rules.max_retries, "time") + " after " +
                   failures_text(rules.retry_on ? *rules.retry_on : of_app.retry_on) +
                   "; a retry starts " + restarted + " again");
}

/// Returns lines for the rules that the role has in place of those of the app.
std::string rules_text(const RoleRules& rules) {
  std::string out;
  if (rules.timeout_ms) {
    out += need_line(*rules.timeout_ms == 0
                         ? "may take any time"
                         : "stopped after " + seconds_text(*rules.timeout_ms) + " s");
  }
  if (rules.grace_ms)
    out += need_line("killed " + seconds_text(*rules.grace_ms) + " s after SIGTERM");
  if (rules.backoff) {
    const Backoff& pause = *rules.backoff;
    out += need_line("pauses before retries: " + seconds_text(pause.initial_ms) + " s at first, " +
                     seconds_text(pause.max_ms) + " s at most");
  }
  return out;
}

/// Returns a line for each need of the group's replicas; empty if they have none.
std::string needs_text(const LaunchGroup& group, const LifeRules& of_app) {
  const ReplicaNeeds& needs = group.needs;
  std::string out;
  if (needs.gpus > 0) out += need_line("uses: " + counted(needs.gpus, "GPU") + " of its own");
  out += limits_text(needs.limits);
  for (const BindMount& mount : needs.mounts) {
    out += need_line("sees: " + mount.src + " as " + mount.dst +
                     (mount.read_only ? ", read only" : ""));
  }
  for (const Dependency& dependency : needs.after)
    out += need_line("waits until " + dependency_text(dependency));
  return out + probe_text(needs.ready) + retries_text(group.rules, of_app) +
         rules_text(group.rules);
}

}  // namespace

void LocalRequest::print_json(const Sink& sink) const {
  sink("{\"app_id\":" + json_quote(parts_.plan.app_id) +
       ",\"log_dir\":" + json_quote(parts_.plan.log_dir));
  sink(",\"role_params\":{");
  print_by_role(*this, sink, [this](const ReplicaCommand& command) {
    return json_of(command, parts_.plan.logs.combined);
  });
  sink("},\"role_log_dirs\":{");
  print_by_role(*this, sink,
                [](const ReplicaCommand& command) { return json_quote(command.log_dir); });
  sink("}}");
}

void LocalRequest::print_text(const Sink& sink) const {
  sink("app id:  " + parts_.plan.app_id + "\nlogs in: " + parts_.plan.log_dir + "\n");
  if (const std::string& command = parts_.plan.rules.on_end; !command.empty())
    sink("at its end: " + shell_joined({"sh", "-c", command}) + "\n");
  each_replica([&](const LaunchGroup& group, std::int32_t replica, const ReplicaCommand& command) {
    std::string text = "\n" + group.role + "/" + std::to_string(replica) + "\n";
    text += "  run:  " + shell_joined(command.args) + "\n  in:   " + command.cwd + "\n";
    for (const auto& [key, value] : command.env) {
      // The replica's PATH precedes the inherited one.
      text += "  with: " + key + "=" + shell_quoted(value) + (key == "PATH" ? ":$PATH" : "") + "\n";
    }
    sink(text + needs_text(group, parts_.plan.rules));
  });
}

}  // namespace slipway::local
