// Reads the logs of a local app for the host.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_events.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/logs/log_reader.hpp"
#include "sdk/support/log_faults.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// Returns the files that `query` asks for. Throws kNotFound for a role or replica that the app
/// does not have.
std::vector<LogSource> log_sources(const AppSnapshot& app, const slipway::LogQuery& query);

/// The logs of one app, as LogReader delivers them.
class LocalLogs : public LogIterator {
 public:
  /// Uses `follow`, `since` and `until` of `query`. With `follow`, reads until the app is terminal,
  /// also across take-overs, or until the time `until`. Starts a successor with `helper_path` if
  /// supervisor and warden die.
  LocalLogs(AppRef ref, std::vector<LogSource> sources, const slipway::LogQuery& query,
            HelperPath helper_path, Host host);

  /// A log that is denied or unavailable does not end the reading: its error comes after the other
  /// logs, and a warning at once when following.
  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override { reader_.cancel(); }

 private:
  std::optional<AppSummary> repaired_summary() const;
  void look_at_app();
  void subscribe();
  std::int64_t limited_wait(std::int64_t timeout_ms);
  LogReader::Next read(std::int64_t timeout_ms, const LogReader::Sink& sink);

  AppRef ref_;
  OwnedFd record_;  // keeps the record from being pruned
  HelperPath helper_path_;
  const bool follows_;  // result of follows() at the start; a later call could differ
  std::optional<AppEvents> events_;
  std::optional<std::int64_t> stop_ns_;  // the time at which following ends
  // After a temporary failure, the time at which look_at_app() tries again.
  std::optional<std::chrono::steady_clock::time_point> retry_at_;
  LogReader reader_;
  LogFaults faults_;
};

}  // namespace slipway::local
