// Repairs `state.bin` while it is mapped, if another process truncates, removes, renames or
// overwrites it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {

/// The depth of a comparison of the file with the supervisor's copy.
enum class StateDepth {
  kSize,    ///< length and existence: one system call
  kHeader,  ///< also its name and its header
  kAll,     ///< also every record: reads all of the state
};

/// Holds a private copy of the state. An access to the mapping of a truncated file raises SIGBUS.
/// The handler replaces the mapping by memory with the contents of the copy, and the process
/// continues. repair() then writes the file again under its name and maps it.
///
/// A process has at most one guard, because the guard owns the disposition of SIGBUS and unblocks
/// it. A child that is about to become a replica has the default disposition and dies of SIGBUS.
/// Not thread safe.
class StateGuard {
 public:
  /// Both must outlive this. Throws kUnavailable if there is no memory for the copy.
  StateGuard(int dir_fd, StateStore& state);
  ~StateGuard();
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

  /// Copies the record, or the header, after a change.
  void copy(std::uint32_t index);
  void copy_header();

  /// Restores the record of a replica that was just started from the copy, and sets its word to the
  /// claim `word` of the child. No checksum covers the record between the promise and the claim, so
  /// damage of that time would not show.
  void confirm_claim(std::uint32_t index, std::uint64_t word);

  /// Restores the record, or the header, if it differs from the copy. Ignores one that is being
  /// changed (record_check.hpp). Returns whether it differed.
  bool restore(std::uint32_t index);
  bool restore_header();

  /// Repairs the parts of the file that `depth` names. Returns whether anything needed a repair. On
  /// a full disk the state stays in memory, and the next call tries again.
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
