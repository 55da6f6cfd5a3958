// A map from pids to replicas, in 8 bytes per slot and without an allocation per pid.
#pragma once

#include <cstdint>
#include <vector>

namespace slipway::local {

/// Stands for "no replica" where an index is expected.
inline constexpr std::uint32_t kNoReplica = UINT32_MAX;

/// Open-addressing map from pid to replica index. Not thread safe.
class PidTable {
 public:
  /// Makes an empty table for up to `most` pids at the same time.
  explicit PidTable(std::uint32_t most) {
    std::uint32_t slots = 16;
    while (slots < most + most / 2) slots *= 2;
    slots_.resize(slots);
    mask_ = slots - 1;
  }

  /// Adds `pid`, which must not be in the table.
  void insert(std::int32_t pid, std::uint32_t index) {
    std::uint32_t at = home(pid);
    while (slots_[at].pid != 0) at = (at + 1) & mask_;
    slots_[at] = {pid, index};
  }

  /// Returns the replica with this pid; kNoReplica if the table does not have the pid.
  std::uint32_t find(std::int32_t pid) const {
    for (std::uint32_t at = home(pid); slots_[at].pid != 0; at = (at + 1) & mask_) {
      if (slots_[at].pid == pid) return slots_[at].index;
    }
    return kNoReplica;
  }

  /// Removes `pid` if the table has it.
  void erase(std::int32_t pid) {
    std::uint32_t hole = home(pid);
    while (slots_[hole].pid != pid) {
      if (slots_[hole].pid == 0) return;
      hole = (hole + 1) & mask_;
    }
    // Pids behind the hole move up, but never above their home.
    for (std::uint32_t at = (hole + 1) & mask_; slots_[at].pid != 0; at = (at + 1) & mask_) {
      if (((at - home(slots_[at].pid)) & mask_) >= ((at - hole) & mask_)) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole] = {};
  }

 private:
  struct Slot {
    std::int32_t pid = 0;  // 0: the slot is empty
    std::uint32_t index = 0;
  };
  /// Returns the position at which the search for a pid begins. The product (Knuth's multiplicative
  /// hash) spreads consecutive pids; its low bits do so least, so 7 of them are left out.
  std::uint32_t home(std::int32_t pid) const {
    return (static_cast<std::uint32_t>(pid) * 2654435761U >> 7U) & mask_;
  }

  std::vector<Slot> slots_;
  std::uint32_t mask_ = 0;
};

}  // namespace slipway::local
