// Keeps `state.bin` whole while it is mapped: against being cut short or removed by others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {

/// Holds a private copy of the state. When somebody truncates the file, touching the mapping raises
/// SIGBUS: the handler puts memory with the copy's contents in its place, and the process goes on.
/// check() then writes the file anew under its name and maps that.
///
/// One per process (it owns the signal's disposition, and unblocks it). Not thread safe. A replica
/// that is just being started has the default disposition, and dies of such a signal.
class StateGuard {
 public:
  /// Both must outlive this. Throws kUnavailable when there is no memory for the copy.
  StateGuard(int dir_fd, StateStore& state);
  ~StateGuard();
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

  /// Takes the record, or the header, over into the copy: after each change.
  void keep(std::uint32_t index);
  void keep_header();

  /// Repairs the file when it was cut or removed. True if it did. On a full disk the state stays in
  /// memory, and the next check() tries again. One fstat when all is well.
  bool check();

 private:
  bool rewrite();

  int dir_fd_;
  StateStore& state_;
  char* copy_;
};

}  // namespace slipway::local
