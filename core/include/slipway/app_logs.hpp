// Reads the logs of an app.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "slipway/logs.hpp"
#include "slipway/scheduler.hpp"

namespace slipway {

namespace registry {
class PluginLogs;  // internal to Slipway; programs need only the name
}

/// One line of a replica, without its line break; for output of the app itself, `role` is empty and
/// `replica` is -1, as in a LogChunk. The views are valid only during the call that gets the line.
struct LogLine {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  TimeNs time;  ///< when the line was written, if the scheduler records it
  std::string_view text;
};

/// Reads logs in chunks (next) or line by line (each_line). Movable, not copyable; may outlive its
/// Runner. Not thread safe except cancel(), but may be used in another thread than the Runner.
class AppLogs {
 public:
  /// Skips the first `from_line` lines of each stream of each replica.
  explicit AppLogs(registry::PluginLogs logs, std::uint64_t from_line = 0);
  AppLogs(AppLogs&& other) noexcept;
  AppLogs& operator=(AppLogs&& other) noexcept;
  ~AppLogs();

  using Next = LogIterator::Next;
  using Sink = LogIterator::Sink;
  /// Delivers the available chunks; waits for at most `timeout_ms` milliseconds if there are none
  /// (-1: without limit). Returns kChunks, kTimeout, or kEnd after the last chunk. Throws
  /// Error(kCancelled) after cancel().
  Next next(std::int64_t timeout_ms, const Sink& sink);

  /// Passes every line to `take` until the end of the logs or until `take` returns false. At the
  /// end of the logs, also passes the unfinished last line of each stream, if any. Throws what
  /// next() and `take` throw, and then loses the lines that have begun: to read on after an error
  /// that may pass (kTemporary), use next().
  void each_line(const std::function<bool(const LogLine&)>& take);

  /// [any thread] Ends a waiting next() and every later one soon.
  void cancel() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipway
