// The logs of an app, being read by a program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "slipway/logs.hpp"
#include "slipway/scheduler.hpp"

namespace slipway {

namespace registry {
class AdoptedLogs;  // of Slipway itself; a program needs no more than the name
}

/// One line of a replica, without its line break; the views are valid during the call that they are handed to.
struct LogLine {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  TimeNs time;  ///< when it was written, where the scheduler records that
  std::string_view text;
};

/// Reads as bytes come (next) or line by line (each_line). Moved, not copied; may outlive its Runner. Not for several
/// threads at once but for cancel(), and may be used in another thread than the Runner.
class AppLogs {
 public:
  /// Leaves the first `from_line` lines of each replica's stream out.
  explicit AppLogs(registry::AdoptedLogs logs, std::uint64_t from_line = 0);
  AppLogs(AppLogs&& other) noexcept;
  AppLogs& operator=(AppLogs&& other) noexcept;
  ~AppLogs();

  using Next = LogIterator::Next;
  using Sink = LogIterator::Sink;
  /// Delivers what there is, waiting at most `timeout_ms` (-1: as long as it takes): kChunks, kTimeout, or kEnd when all
  /// was delivered. Throws Error kCancelled after cancel().
  Next next(std::int64_t timeout_ms, const Sink& sink);

  /// Hands over every line until all were delivered; `take` returns false to end it sooner. A last line without line
  /// break is handed over at the end. Throws as next() and `take` do.
  void each_line(const std::function<bool(const LogLine&)>& take);

  /// [any thread] Lets a next() that waits, and every later one, end soon.
  void cancel() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipway
