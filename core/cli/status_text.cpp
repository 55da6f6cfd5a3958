#include "core/cli/status_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "core/cli/exit_status.hpp"
#include "core/logs/time_text.hpp"

namespace slipway::cli {

namespace {

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

/// What became of a replica, beyond its state.
std::string outcome(const ReplicaStatus& replica) {
  if (!is_terminal(replica.state))
    return replica.pid > 0 ? fmt::format("pid {}", replica.pid) : std::string();
  if (replica.reason == "spawn_failed") return "could not be started";
  if (replica.reason == "lost") return "lost: nobody saw its end";
  std::string out;
  if (replica.signal > 0) {
    out = "killed by " + signal_name(replica.signal);
  } else if (replica.exit_code && *replica.exit_code != 0) {
    out = fmt::format("exit {}", *replica.exit_code);
  }
  if (!replica.reason.empty() && replica.reason != "exit" && replica.reason != "signal" &&
      replica.reason != "cancelled") {
    out += (out.empty() ? "" : ", ") + replica.reason;
  }
  return out;
}

std::string seconds_between(TimeNs from, TimeNs to) {
  if (!from || !to) return {};
  return fmt::format("{:.1f} s", static_cast<double>(*to - *from) / 1e9);
}

/// Replicas next to each other in state and outcome, as one line.
struct Run {
  std::int32_t first;
  std::int32_t last;
  std::string text;
};

std::vector<Run> runs_of(const RoleStatus& role) {
  std::vector<Run> out;
  // a few replicas are worth a line each; of many, only what sets them apart is
  constexpr std::size_t kShownOneByOne = 8;
  const bool merge = role.replicas.size() > kShownOneByOne;
  for (const ReplicaStatus& replica : role.replicas) {
    const std::string state(to_string(replica.state));
    std::string detail = outcome(replica);
    if (merge && replica.state == AppState::kRunning) detail.clear();
    std::string text = detail.empty() ? state : state + "  " + detail;
    if (!merge) {
      const std::string took = seconds_between(replica.started_at, replica.finished_at);
      if (!took.empty()) text += "  after " + took;
    }
    if (replica.restarts > 0) text += fmt::format("  restarts {}", replica.restarts);
    if (merge && !out.empty() && out.back().text == text && out.back().last + 1 == replica.id) {
      out.back().last = replica.id;
    } else {
      out.push_back({replica.id, replica.id, std::move(text)});
    }
  }
  return out;
}

}  // namespace

std::string failure_text(const Description& app) {
  const RoleStatus* role = nullptr;
  const ReplicaStatus* replica = first_failure(app, &role);
  if (replica == nullptr) return app.msg;
  // what cannot be started has its reason in the app's message
  if (replica->reason == "spawn_failed" && !app.msg.empty()) return app.msg;
  std::string what = outcome(*replica);
  if (replica->exit_code && replica->reason == "exit")
    what = fmt::format("exited with {}", *replica->exit_code);
  if (replica->signal > 0) what = "was killed by " + signal_name(replica->signal);
  return fmt::format("{}/{} {}", role->role, replica->id, what);
}

std::string status_text(const AppStatus& status, const std::vector<std::string>& roles) {
  const Description& d = status.description;
  std::string out =
      fmt::format("{}\n  state:     {}\n", to_string(status.handle), to_string(d.state));
  if (!d.msg.empty()) out += fmt::format("  message:   {}\n", d.msg);
  if (d.num_restarts > 0) out += fmt::format("  restarts:  {}\n", d.num_restarts);
  if (d.submitted_at) out += fmt::format("  submitted: {}\n", logs::time_text(*d.submitted_at));
  if (d.finished_at) {
    const std::string took = seconds_between(d.started_at, d.finished_at);
    out += fmt::format("  finished:  {}{}\n", logs::time_text(*d.finished_at),
                       took.empty() ? "" : " after " + took);
  }
  if (!d.ui_url.empty()) out += fmt::format("  logs:      {}\n", d.ui_url);
  if (!d.structured_error_json.empty())
    out += fmt::format("  error:     {}\n", d.structured_error_json);
  for (const RoleStatus& role : d.roles) {
    if (!roles.empty() && std::find(roles.begin(), roles.end(), role.role) == roles.end()) continue;
    out += fmt::format("  {} ({})\n", role.role, role.replicas.size());
    for (const Run& run : runs_of(role)) {
      const std::string ids = run.first == run.last ? std::to_string(run.first)
                                                    : fmt::format("{}-{}", run.first, run.last);
      out += fmt::format("    {:<5} {}\n", ids, run.text);
    }
  }
  return out;
}

}  // namespace slipway::cli
