// `state.bin` made and mapped for writing: for the launch and for the supervisor. Readers use
// state_file.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Nanoseconds of CLOCK_REALTIME, and of CLOCK_BOOTTIME outside of time namespaces
/// (boot_clock.hpp).
std::int64_t realtime_ns();
std::int64_t boottime_ns();

/// Writes a fresh state (0600) of a submitted app as `name`, with all its space allocated, so that
/// a full disk can never hurt it later. Throws kCantCreate.
void create_state(int dir_fd, const LaunchPlan& plan, std::int64_t submitted_ns,
                  const char* name = kStateName);

/// The mapped file. Not thread safe; its owner holds the app's lock.
class StateStore {
 public:
  /// Maps `name` in `dir_fd` shared and writable. Throws kUnavailable when it is missing, or
  /// when anything in it is damaged.
  explicit StateStore(int dir_fd, const char* name = kStateName);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  StateHeader& header() { return *header_; }
  ReplicaRecord record(std::uint32_t index) { return {heads_[index], tails_[index]}; }
  ReplicaHead& head(std::uint32_t index) { return heads_[index]; }
  ReplicaTail& tail(std::uint32_t index) { return tails_[index]; }
  std::uint32_t count() const { return header_->fixed.replica_count; }
  AppState app_state() const {
    return static_cast<AppState>(header_->app_state.load(std::memory_order_acquire));
  }
  StopCause stop_cause() const { return static_cast<StopCause>(header_->stop_cause.load()); }

  /// Everything that changes ends with this: readers and subscribers compare the number.
  std::uint64_t touch() { return header_->sequence.fetch_add(1, std::memory_order_release) + 1; }

  /// The mapping and its file, for who guards them.
  char* bytes() { return static_cast<char*>(map_); }
  std::size_t size() const { return bytes_; }
  OwnedFd& file() { return file_; }

  /// Sets the message for people, cut at kMessageBytes on a character boundary.
  void set_message(std::string_view text);

  /// Gives the pages of the mapping back, whose contents stay where they are: in the file. For a
  /// time in which nothing is read or written.
  void give_back_pages();

  /// Absolute log directory of the app.
  std::string log_dir() const;

  /// Replica `index` as `role/number`, for messages.
  std::string replica_name(std::uint32_t index) const;

 private:
  std::string check_records() const;

  OwnedFd file_;
  void* map_ = nullptr;
  std::size_t bytes_ = 0;
  StateHeader* header_ = nullptr;
  ReplicaHead* heads_ = nullptr;
  ReplicaTail* tails_ = nullptr;
};

}  // namespace slipway::local
