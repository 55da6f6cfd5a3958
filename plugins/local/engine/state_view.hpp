// Access to the fields of a state file in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// The fields of a state file whose bytes are in memory, which the view borrows. Not thread safe.
class StateView {
 public:
  /// `bytes` hold a checked head (state_head.hpp).
  explicit StateView(char* bytes) { look_at(bytes); }

  StateHeader& header() { return *header_; }
  ReplicaEntry entry(std::uint32_t index) { return {heads_[index], tails_[index]}; }
  ReplicaHead& head(std::uint32_t index) { return heads_[index]; }
  ReplicaTail& tail(std::uint32_t index) { return tails_[index]; }
  std::uint32_t count() const { return header_->fixed.replica_count; }
  AppState app_state() const {
    return static_cast<AppState>(header_->app_state.load(std::memory_order_acquire));
  }
  StopCause stop_cause() const { return static_cast<StopCause>(header_->stop_cause.load()); }

  /// Increases `sequence` and returns it. A writer calls it after each change, because readers and
  /// watchers compare the number.
  std::uint64_t touch() { return header_->sequence.fetch_add(1, std::memory_order_release) + 1; }

  /// Returns the message for people. Only for the writer: another process may see a part of it.
  std::string_view message() const { return {header_->message, header_->message_length.load()}; }
  /// Sets the message for people. Cuts it to kMessageBytes, between two characters.
  void set_message(std::string_view text);

  char* bytes() { return reinterpret_cast<char*>(header_); }
  const char* bytes() const { return reinterpret_cast<const char*>(header_); }

  /// Returns the absolute log directory of the app.
  std::string log_dir() const;

  /// Returns the name of replica `index`, `role/number`, for messages.
  std::string replica_name(std::uint32_t index) const;

 protected:
  StateView() = default;
  /// Makes this a view of `bytes`, which hold a checked head.
  void look_at(char* bytes);

 private:
  StateHeader* header_ = nullptr;
  ReplicaHead* heads_ = nullptr;
  ReplicaTail* tails_ = nullptr;
};

}  // namespace slipway::local
