// Reads logs for checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// The logs to open; of all roles if `role` is empty, of all its replicas if `replicas` is.
struct LogSelection {
  std::string role = {};
  std::vector<std::int32_t> replicas = {};
  std::int32_t stream = SLIPWAY_STREAM_COMBINED;
  bool follow = false;
  std::int64_t since_ns = SLIPWAY_TIME_UNSET;
  std::int64_t until_ns = SLIPWAY_TIME_UNSET;
};

/// Thrown if log_open returns SLIPWAY_E_UNIMPLEMENTED.
struct NoSuchLogs : Inconclusive {
  NoSuchLogs() : Inconclusive("the scheduler keeps no such logs") {}
};

/// An open iterator, which the destructor closes. Its inputs are already inaccessible.
class OpenLogs {
 public:
  /// Throws NoSuchLogs, Inconclusive if the scheduler cannot work on this machine, and Broken after
  /// another failure.
  OpenLogs(const SchedulerUnderTest& scheduler, const std::string& app_id,
           const LogSelection& selection);
  ~OpenLogs();
  OpenLogs(const OpenLogs&) = delete;
  OpenLogs& operator=(const OpenLogs&) = delete;

  /// Logs by role and replica.
  using Bytes = std::map<std::pair<std::string, std::int32_t>, std::string>;
  /// Calls log_next and adds the chunks to `bytes`. Throws Broken if a chunk is malformed or comes
  /// in another thread. The caller judges the status.
  Answer next(std::int64_t timeout_ms, Bytes& bytes);
  /// [any thread] Calls log_cancel.
  void cancel() { scheduler_.table().log_cancel(iterator_); }

 private:
  struct Sink;
  const SchedulerUnderTest& scheduler_;
  slipway_log_iter* iterator_ = nullptr;
  /// The number of bytes of a line whose end has not come, by role, replica and stream.
  std::map<std::tuple<std::string, std::int32_t, std::int32_t>, std::size_t> unfinished_;
};

/// Reads until SLIPWAY_END, and returns the bytes by role and replica. Throws what OpenLogs throws,
/// and Broken if log_next fails with another status than SLIPWAY_E_TEMPORARY, or has not returned
/// SLIPWAY_END after half of the check's time limit.
OpenLogs::Bytes read_logs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                          const LogSelection& selection = {});

}  // namespace slipway::check
