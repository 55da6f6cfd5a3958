// Creates `state.bin`, for the launch, and maps it for writing, for the supervisor. Readers use
// app_reader.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_view.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Creates the state file `name` (0600) of an app that was just submitted. Allocates all of its
/// space, so that a disk that gets full cannot damage it. Throws kCantCreate, and the errors of
/// build_state_head().
void create_state(int dir_fd, const LaunchPlan& plan, std::int64_t submitted_ns,
                  const char* name = kStateName);

/// Throws OtherVersion if the state file in `dir_fd` has another format than kStateVersion. Accepts
/// a missing or damaged file.
void check_state_version(int dir_fd);

/// The mapped state file. A process that maps it holds the app's lock.
class StateStore : public StateView {
 public:
  /// Maps `name` in `dir_fd`, shared and writable. Throws kUnavailable if the file is missing or
  /// damaged, kTemporary if the system is short of descriptors or memory, and OtherVersion for any
  /// format but kStateVersion.
  explicit StateStore(int dir_fd, const char* name = kStateName);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  std::size_t size() const { return bytes_; }
  /// Returns the descriptor of the file, which the supervisor replaces when it repairs the file.
  OwnedFd& file() { return file_; }

  /// Releases the memory of the mapping; the contents stay in the file. For a time without reads
  /// and writes.
  void give_back_pages();

 private:
  std::string check_entries();

  OwnedFd file_;
  void* map_ = nullptr;
  std::size_t bytes_ = 0;  // size of the mapping and of the file
};

}  // namespace slipway::local
