#include "core/cli/output/status_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "core/logs/time_text.hpp"
#include "core/status/error_message.hpp"
#include "core/status/error_report.hpp"
#include "core/status/gpu_memory.hpp"
#include "core/status/outcome.hpp"
#include "core/status/resource_use.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::cli {

namespace {

std::string seconds_between(TimeNs from, TimeNs to) {
  if (!from || !to) return {};
  return seconds_text(*to - *from);
}

/// Returns whether the app's error is also the error of a replica that the text shows.
bool is_shown_by_replica(const Description& app, const std::vector<std::string>& roles) {
  return std::any_of(app.roles.begin(), app.roles.end(), [&](const RoleStatus& role) {
    return (roles.empty() || std::find(roles.begin(), roles.end(), role.role) != roles.end()) &&
           std::any_of(role.replicas.begin(), role.replicas.end(), [&](const ReplicaStatus& r) {
             return r.structured_error_json == app.structured_error_json;
           });
  });
}

/// A line about one replica, or about consecutive replicas with the same text.
struct ReplicaLine {
  std::int32_t first;
  std::int32_t last;
  std::string text;
  std::string values;  // times and used resources, which only a line about one replica shows
  std::string end;     // of the text, after the values
};

std::int64_t replica_count(const RoleStatus& role) {
  return std::accumulate(role.replicas.begin(), role.replicas.end(), std::int64_t{0},
                         [](std::int64_t sum, const ReplicaStatus& r) { return sum + r.count; });
}

/// Returns how the last earlier attempts ended, in parentheses; empty if they are not known.
std::string earlier_ends(const ReplicaStatus& replica) {
  constexpr std::size_t kShown = 3;  // attempts, so that the line stays short
  const std::vector<AttemptStatus>& attempts = replica.earlier_attempts;
  if (attempts.empty()) return {};
  const std::size_t left_out = attempts.size() - std::min(kShown, attempts.size());
  const std::vector<AttemptStatus> shown(attempts.begin() + static_cast<std::ptrdiff_t>(left_out),
                                         attempts.end());
  return fmt::format(" ({}{})", left_out > 0 ? "…, " : "",
                     joined(shown, ", ", [](const auto& attempt) { return outcome(attempt); }));
}

/// The current time, the same for all replicas. Read when it is needed first: the first time that a
/// process reads a clock takes 0.07 ms.
class StatusTime {
 public:
  /// Returns the time in ns since 1970.
  std::int64_t now() {
    if (!now_) {
      const auto clock = std::chrono::system_clock::now().time_since_epoch();
      now_ = std::chrono::nanoseconds(clock).count();
    }
    return *now_;
  }

 private:
  std::optional<std::int64_t> now_;
};

/// Returns how long the replica ran, and what it used.
std::string values_of(const ReplicaStatus& replica, StatusTime& time) {
  std::string out;
  const std::string took = seconds_between(replica.started_at, replica.finished_at);
  if (!took.empty()) out += "  after " + took;
  if (const std::string used = use_text(replica.use); !used.empty()) out += "  " + used;
  if (replica.state == AppState::kRunning && replica.started_at)
    out +=
        "  for " + seconds_between(replica.started_at, std::max(time.now(), *replica.started_at));
  if (const std::int64_t bytes = gpu_memory_of(replica); bytes > 0)
    out += "  " + size_text(bytes) + " of GPU memory";
  return out;
}

/// Returns the line about the entry of a replica, or of several merged ones. In a role without a
/// line for each replica (`merge`), leaves out what would prevent merging.
ReplicaLine line_of(const ReplicaStatus& replica, bool merge, StatusTime& time) {
  ReplicaLine out{replica.id, replica.id + replica.count - 1, {}, {}, {}};
  out.text = to_string(replica.state);
  // Each running replica has a different process id.
  const bool hides_detail = merge && replica.state == AppState::kRunning;
  const std::string detail = hides_detail ? std::string() : outcome(replica);
  if (!detail.empty()) out.text += "  " + detail;
  if (replica.state == AppState::kRunning) {
    const std::optional<bool> ready = readiness(replica);
    if (ready) out.text += *ready ? "  ready" : "  not ready";
  }
  if (const std::string wait = wait_of(replica); !wait.empty()) out.text += "  waits for " + wait;
  if (!hides_detail) out.values = values_of(replica, time);
  if (replica.restarts > 0) out.end += fmt::format("  restarts {}", replica.restarts);
  if (!merge) out.end += earlier_ends(replica);
  if (!replica.structured_error_json.empty())
    out.end += error_text(replica.structured_error_json, 10);  // below the text of the line
  return out;
}

/// Returns the lines about the replicas of a role.
std::vector<ReplicaLine> lines_of(const RoleStatus& role, StatusTime& time) {
  std::vector<ReplicaLine> out;
  const bool merge = !has_line_each(role);
  for (const ReplicaStatus& replica : role.replicas) {
    ReplicaLine line = line_of(replica, merge, time);
    if (merge && !out.empty() && out.back().text == line.text && out.back().end == line.end &&
        out.back().last + 1 == line.first) {
      out.back().last = line.last;
    } else {
      out.push_back(std::move(line));
    }
  }
  return out;
}

}  // namespace

bool has_line_each(const RoleStatus& role) {
  // Up to this number schedulers merge no replicas, so each has a line to show.
  constexpr std::int64_t kShownOneByOne = SLIPWAY_MERGE_ABOVE;
  return replica_count(role) <= kShownOneByOne;
}

std::string error_text(const std::string& error_json, std::size_t indent) {
  const auto report = read_error_report(error_json);
  std::string message = reduce_error_message(report ? report->message : error_json);
  if (report && report->timestamp)
    message = logs::local_time_text(*report->timestamp * 1'000'000'000) + " " + message;
  const std::string margin(indent, ' ');
  std::string out;
  for (std::size_t from = 0; from <= message.size();) {
    const std::size_t end = std::min(message.find('\n', from), message.size());
    if (end > from) {
      for (const std::string& line : wrap_error_message(message.substr(from, end - from)))
        out += "\n" + margin + line;
    }
    from = end + 1;
  }
  return out;
}

std::string status_text(const AppStatus& status, const std::vector<std::string>& roles) {
  const Description& d = status.description;
  StatusTime time;
  std::string out =
      fmt::format("{}\n  state:     {}\n", to_string(status.handle), to_string(d.state));
  if (!d.msg.empty()) out += fmt::format("  message:   {}\n", d.msg);
  if (d.num_restarts > 0) out += fmt::format("  restarts:  {}\n", d.num_restarts);
  if (d.submitted_at)
    out += fmt::format("  submitted: {}\n", logs::local_time_text(*d.submitted_at));
  if (d.finished_at) {
    const std::string took = seconds_between(d.started_at, d.finished_at);
    out += fmt::format("  finished:  {}{}\n", logs::local_time_text(*d.finished_at),
                       took.empty() ? "" : " after " + took);
  }
  const ResourceUse use = resource_use(d);
  if (const std::string used = use_text(use); !used.empty()) {
    out += fmt::format("  used:      {}{}\n", used,
                       use.max_rss_bytes > 0 ? " in the largest replica" : "");
  }
  for (const auto& [key, value] : d.metadata) out += fmt::format("  {:<10} {}\n", key + ":", value);
  // The local schedulers, which have no pages for browsers, give the directory of the logs.
  if (!d.ui_url.empty())
    out += fmt::format("  {}      {}\n",
                       d.ui_url.starts_with("file://") ? "logs:" : "page:", d.ui_url);
  if (!d.structured_error_json.empty() && !is_shown_by_replica(d, roles))
    out += fmt::format("  error:{}\n", error_text(d.structured_error_json, 4));
  for (const RoleStatus& role : d.roles) {
    if (!roles.empty() && std::find(roles.begin(), roles.end(), role.role) == roles.end()) continue;
    out += fmt::format("  {} ({}{})\n", role.role, replica_count(role),
                       is_service(role) ? ", service" : "");
    for (const ReplicaLine& line : lines_of(role, time)) {
      const bool is_one = line.first == line.last;
      const std::string ids =
          is_one ? std::to_string(line.first) : fmt::format("{}-{}", line.first, line.last);
      out += fmt::format("    {:<5} {}{}{}\n", ids, line.text, is_one ? line.values : "", line.end);
    }
  }
  return out;
}

}  // namespace slipway::cli
