// The pause before the next start while the machine lacks something that starts need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// The start of an app's message about a shortage.
inline constexpr std::string_view kWaiting = "waiting: ";

/// Nothing starts during a pause. Each pause is twice as long as the one before it, from 50 ms to
/// one second, until a start succeeds; the app's message names a shortage that lasts. Not thread
/// safe.
class StartPause {
 public:
  /// `files` must outlive this.
  explicit StartPause(AppFiles& files) : files_(files) {}

  bool is_active() const { return until_ns_ != kNever; }
  /// Returns the end of the pause on CLOCK_BOOTTIME; kNever without a pause.
  std::int64_t until() const { return until_ns_; }

  /// Begins a pause whose reason the caller reports.
  void begin();
  /// Begins a pause because of `shortage`, which the app's message names if it lasts.
  void begin(const std::string& shortage);
  /// Makes room in the journal for one more attempt of every replica. On a full disk, begins a
  /// pause and returns false.
  bool reserve_attempts();

  /// Ends the pause early, because an ended process has freed what may have been missing.
  void end() { until_ns_ = kNever; }
  void end_if_due(std::int64_t now_ns);
  /// Makes the next pause short, and removes the shortage from the app's message.
  void start_succeeded();
  /// Removes the shortage from the app's message.
  void clear_message();

 private:
  static constexpr std::int64_t kFirstMs = 50;

  AppFiles& files_;
  std::int64_t until_ns_ = kNever;
  std::int64_t next_ms_ = kFirstMs;
  bool has_message_ = false;
};

}  // namespace slipway::local
