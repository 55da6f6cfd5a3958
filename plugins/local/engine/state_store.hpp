// Creates `state.bin`, for the launch, and maps it for writing, for the supervisor. Readers use
// app_reader.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Creates the state file `name` (0600) of an app that was just submitted. Allocates all of its
/// space, so that a disk that gets full cannot damage it. Throws kCantCreate.
void create_state(int dir_fd, const LaunchPlan& plan, std::int64_t submitted_ns,
                  const char* name = kStateName);

/// The mapped state file. Not thread safe. The process that owns it holds the app's lock.
class StateStore {
 public:
  /// Maps `name` in `dir_fd`, shared and writable. Throws kUnavailable if the file is missing or
  /// damaged, and OtherVersion for any format but kStateVersion.
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

  /// Increases `sequence` and returns it. A writer calls it after each change, because readers and
  /// subscribers compare the number.
  std::uint64_t touch() { return header_->sequence.fetch_add(1, std::memory_order_release) + 1; }

  // The mapping and its file, for StateGuard.
  char* bytes() { return static_cast<char*>(map_); }
  std::size_t size() const { return bytes_; }
  OwnedFd& file() { return file_; }

  /// Sets the message for people. Cuts it to kMessageBytes, between two characters.
  void set_message(std::string_view text);

  /// Releases the memory of the mapping; the contents stay in the file. For a time without reads
  /// and writes.
  void give_back_pages();

  /// Returns the absolute log directory of the app.
  std::string log_dir() const;

  /// Returns the name of replica `index`, `role/number`, for messages.
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
