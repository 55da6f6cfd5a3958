#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/event_watch.hpp"
#include "core/cli/apps/log_pump.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/live_area.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/log_output.hpp"
#include "core/logs/time_text.hpp"

namespace slipway::cli {

namespace {

Stream parse_stream(const std::string& name) {
  for (const Stream stream : {Stream::kCombined, Stream::kStdout, Stream::kStderr}) {
    if (name == to_string(stream)) return stream;
  }
  throw Error(Code::kUsage, "--stream " + name + ": there is no such stream",
              "use combined, stdout or stderr");
}

std::size_t replica_count(const AppStatus& status, const ReplicaSelection& selection) {
  const std::vector<std::string> roles = comma_list(selection.role.value_or(""));
  if (!selection.replicas.empty()) return selection.replicas.size() * roles.size();
  std::size_t count = 0;
  for (const RoleStatus& role : status.description.roles) {
    if (roles.empty() || std::find(roles.begin(), roles.end(), role.role) != roles.end())
      count += role.replicas.size();
  }
  return count;
}

/// Returns whether the selection includes a replica; empty if it includes all.
ReplicaFilter filter_of(const ReplicaSelection& selection) {
  if (!selection.role) return {};
  return [roles = comma_list(*selection.role), replicas = selection.replicas](
             const std::string& role, std::int32_t replica) {
    return std::find(roles.begin(), roles.end(), role) != roles.end() &&
           (replicas.empty() ||
            std::find(replicas.begin(), replicas.end(), replica) != replicas.end());
  };
}

}  // namespace

int log(Invocation& invocation, const LogCommand& command) {
  LogQuery query;
  query.follow = command.follow;
  query.stream = parse_stream(command.stream);
  query.since = logs::parse_bound(command.since);
  query.until = logs::parse_bound(command.until);
  if (query.since && query.until && *query.since > *query.until) {
    throw Error(Code::kUsage, "no line can be in this time: --since " + command.since +
                                  " is later than --until " + command.until);
  }
  const ReplicaSelection selection = find_replicas(invocation, command.handle);
  const AppStatus status = existing_app(invocation, selection.app);
  if (selection.role) {
    for (const std::string& role : comma_list(*selection.role))
      query.targets.push_back({role, selection.replicas});
  }

  logs::LogOutputOptions options;
  options.regex = command.regex;
  options.tail = command.tail;
  // The lines of a running app come in about this order.
  if (command.merge || (command.follow && is_over(status.description)))
    options.merge = command.merge ? logs::Merge::kYes : logs::Merge::kIfItFits;
  options.style.json = invocation.json();
  options.style.timestamps = command.timestamps;
  options.style.prefix = !command.no_prefix && replica_count(status, selection) != 1;
  options.style.color = invocation.color(standard_output());
  options.follow = command.follow;
  const bool holds = options.tail || options.merge != logs::Merge::kNo;
  std::optional<LiveArea> area;
  logs::LogOutput output(
      std::move(options), [](std::string_view bytes) { write_bytes(bytes); },
      command.follow && !invocation.json() ? LiveArea::open(standard_output(), area) : nullptr);

  AppLogs lines = invocation.runner().log_lines(selection.app, query);
  std::optional<EventWatch> events;
  if (command.follow && !command.no_events && !is_over(status.description)) {
    const bool leaves_out = command.tail || query.since;
    events.emplace(invocation, selection.app, filter_of(selection),
                   leaves_out ? &status.description : nullptr);
  }
  LogFailures failures;
  const auto read = [&](std::int64_t timeout_ms) {
    try {
      return lines.next(timeout_ms, [&](const LogChunk& chunk) {
        failures.delivered();
        output.chunk(chunk);
      });
    } catch (const Error& error) {
      // Prints the lines that came before the error.
      output.flush();
      if (error.code() != Code::kTemporary || !failures.add(error)) throw;
      return LogIterator::Next::kChunks;
    }
  };
  // Lines that come without waiting were written before this call.
  bool is_backlog = holds && command.follow;
  auto next = read(is_backlog ? 0 : -1);
  while (next != LogIterator::Next::kEnd) {
    if (next == LogIterator::Next::kTimeout && std::exchange(is_backlog, false))
      output.end_of_backlog();
    const bool is_late = output.flush();
    next = read(is_backlog ? 0 : is_late ? logs::LogOutput::kShowPause.count() : -1);
  }
  output.finish();
  events.reset();
  if (command.merge && output.could_not_merge()) {
    say(LogLevel::kWarning, selection.app.scheduler +
                                " did not record when lines were written, so the lines of one "
                                "replica follow those of another");
  }
  if (output.missed_times()) {
    say(LogLevel::kWarning,
        selection.app.scheduler +
            " does not record when lines were written, so --timestamps shows no times");
  }
  return kExitOk;
}

}  // namespace slipway::cli
