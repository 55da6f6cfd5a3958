// The supervisor's copy of the state, and the repair of `state.bin` while it is mapped, if another
// process truncates, removes, renames or overwrites it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {

/// The depth of a comparison of the file with the supervisor's copy.
enum class StateDepth {
  kSize,    ///< length, and whether the file was removed: one system call
  kHeader,  ///< also its name, and all bytes before the entries
  kAll,     ///< also every entry: reads all of the state
};

/// Holds the supervisor's copy of the state. The supervisor reads and changes this copy alone, and
/// publishes each complete change to the mapped file, where commands and a successor read it. So
/// nothing that happens to the file reaches a change that has begun.
///
/// An access to the mapping of a truncated file raises SIGBUS. The handler replaces the mapping by
/// memory with the contents of the copy, and the process continues. repair() then writes the file
/// again under its name and maps it.
///
/// A process has at most one guard, because the guard sets the disposition of SIGBUS and unblocks
/// it. A child that is about to become a replica has the default disposition and dies of SIGBUS.
/// Not thread safe.
class StateGuard {
 public:
  /// Both must outlive this. Throws kTemporary if there is no memory for the copy.
  StateGuard(int dir_fd, StateStore& file);
  ~StateGuard();
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

  StateView& copy() { return copy_; }

  /// Writes the entry, or the header, from the copy to the file with its check (record_check.hpp).
  /// A reader finds it marked as being changed meanwhile. The merger changes its cursor in the
  /// file, so the cursor is copied from the file instead.
  void publish(std::uint32_t index);
  void publish_header();

  /// Restores the entry, or the header, in the file if it differs from the copy. Ignores an entry
  /// or header that is being changed in the copy: publish() writes all of it. Returns whether it
  /// differed.
  bool restore(std::uint32_t index);
  bool restore_header();

  /// Repairs the parts of the file that `depth` names. Returns whether it repaired anything. On a
  /// full disk the state stays in memory, and the next call tries again.
  bool repair(StateDepth depth);

 private:
  bool has_name() const;
  bool restore_names();
  bool rewrite();

  int dir_fd_;
  StateStore& file_;
  StateView copy_;
};

}  // namespace slipway::local
