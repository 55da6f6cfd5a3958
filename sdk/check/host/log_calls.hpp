// Reads logs for checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// An open iterator, which the destructor closes. Its inputs are already inaccessible.
class OpenLogs {
 public:
  /// Opens the logs of `role`, or of all roles if it is empty. Throws Inconclusive if the scheduler
  /// has no such logs, and Broken.
  OpenLogs(const SchedulerUnderTest& scheduler, const std::string& app_id, const std::string& role,
           bool follow);
  ~OpenLogs();
  OpenLogs(const OpenLogs&) = delete;
  OpenLogs& operator=(const OpenLogs&) = delete;

  using Bytes = std::map<std::pair<std::string, std::int32_t>, std::string>;
  /// Calls log_next and adds the chunks to `bytes`.
  Answer next(std::int64_t timeout_ms, Bytes& bytes);
  /// [any thread] Calls log_cancel.
  void cancel() { scheduler_.table().log_cancel(iterator_); }

 private:
  const SchedulerUnderTest& scheduler_;
  slipway_log_iter* iterator_ = nullptr;
};

struct ReadLogs {
  OpenLogs::Bytes bytes;  ///< by role and replica
};

/// Reads until SLIPWAY_END.
ReadLogs read_logs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                   const std::string& role, bool follow);

}  // namespace slipway::check
