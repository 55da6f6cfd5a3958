// The logs of a local app for the host.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_events.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/logs/log_reader.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// The files that `query` asks for. Throws Error kNotFound for a role or replica that the app does
/// not have.
std::vector<LogSource> log_sources(const AppSnapshot& app, const slipway::LogQuery& query);

class LocalLogs : public LogIterator {
 public:
  /// Of `query`, follow and the times count. Follows until the app is terminal, whoever supervises
  /// it by then, or the end of the times has come; `helper_path` is for putting its supervision in
  /// order.
  LocalLogs(AppRef ref, std::vector<LogSource> sources, const slipway::LogQuery& query,
            HelperPath helper_path);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override { reader_.cancel(); }

 private:
  std::optional<AppSummary> settled_summary() const;
  void on_event();
  void subscribe();
  std::int64_t until_the_end(std::int64_t timeout_ms);

  AppRef ref_;
  OwnedFd record_;  // a record that is read is not pruned
  HelperPath helper_path_;
  std::optional<AppEvents> events_;
  std::optional<std::int64_t> stop_ns_;  // following ends at that time
  LogReader reader_;
};

}  // namespace slipway::local
