// Reading logs as a check does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// An open iterator; closed with the object. Its inputs are gone already.
class OpenLogs {
 public:
  /// `role` empty: all of them. Throws Unable where the scheduler has no such logs, and Broken.
  OpenLogs(const SchedulerUnderTest& scheduler, const std::string& app_id, const std::string& role,
           bool follow);
  ~OpenLogs();
  OpenLogs(const OpenLogs&) = delete;
  OpenLogs& operator=(const OpenLogs&) = delete;

  using Bytes = std::map<std::pair<std::string, std::int32_t>, std::string>;
  /// log_next; what it delivers is added to `bytes`.
  Answer next(std::int64_t timeout_ms, Bytes& bytes);
  /// [any thread]
  void cancel() { scheduler_.table().log_cancel(iterator_); }

 private:
  const SchedulerUnderTest& scheduler_;
  slipway_log_iter* iterator_ = nullptr;
};

struct ReadLogs {
  OpenLogs::Bytes bytes;  ///< by role and replica
};

/// Everything until SLIPWAY_END.
ReadLogs read_logs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                   const std::string& role, bool follow);

}  // namespace slipway::check
