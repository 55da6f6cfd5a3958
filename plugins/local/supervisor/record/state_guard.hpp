// Keeps `state.bin` whole while it is mapped: against being cut short, removed, renamed or written
// over by others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {

/// How closely the file is compared with what the supervisor knows.
enum class StateDepth {
  kSize,    ///< it is as long as it was, and has not been removed: one system call
  kHeader,  ///< it still has its name, and its header is right
  kAll,     ///< and so is every record: reads all of the state
};

/// Holds a private copy of the state. When somebody truncates the file, touching the mapping raises
/// SIGBUS: the handler puts memory with the copy's contents in its place, and the process goes on.
/// repair() then writes the file again under its name and maps that.
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

  /// Copies the record, or the header: after each change.
  void keep(std::uint32_t index);
  void keep_header();

  /// Puts back all of the record of a replica that was just started but its claim `word`, which its
  /// child alone has written: damage since then has no check to fail.
  void confirm_claim(std::uint32_t index, std::uint64_t word);

  /// Puts the copy back when the record, or the header, is no longer what the supervisor left
  /// there. Leaves alone what is being changed (record_check.hpp). True if it did.
  bool restore(std::uint32_t index);
  bool restore_header();

  /// Repairs the file as far as `depth` looks. True if there was anything to repair. On a full disk
  /// the state stays in memory, and the next call tries again.
  bool repair(StateDepth depth);

 private:
  bool put_back(std::uint32_t index);
  bool has_name() const;
  bool restore_names();
  bool rewrite();

  int dir_fd_;
  StateStore& state_;
  char* copy_;
};

}  // namespace slipway::local
