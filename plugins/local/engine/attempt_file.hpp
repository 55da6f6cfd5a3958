// `attempts.bin`: how the attempts that were retried have ended. The last attempt of a replica is
// in its record (state_layout.hpp) and not here.
//
// An array of AttemptEntry, of which StateHeader::attempts are valid. The supervisor writes an
// entry before the change that makes it true. When it is killed in between, its successor writes
// that entry again: of several for the same replica and attempt, the first is the true one.
#pragma once

#include <cstdint>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

inline constexpr char kAttemptsName[] = "attempts.bin";

struct AttemptEntry {
  std::uint32_t crc;      // over all that follows
  std::uint32_t replica;  // index of its record
  std::uint32_t attempt;  // 1 is the first
  std::int32_t pid;
  std::int32_t wait_status;  // counts with kHasWaitStatus in flags
  std::uint32_t flags;       // as in ReplicaRecord
  std::uint32_t reason;      // Reason
  std::uint32_t state;       // State
  std::int64_t started_ns;
  std::int64_t finished_ns;
  std::uint64_t reserved[2];
};
static_assert(sizeof(AttemptEntry) == 64);

/// Makes the file (0600) with room for `entries`, so that a full disk cannot keep the end of a
/// first attempt from being recorded. Throws kCantCreate.
void create_attempts(int dir_fd, std::uint64_t entries);

/// The valid ones of the first `count` entries, in the order of the file. Skips damaged entries; a
/// missing file has none.
std::vector<AttemptEntry> read_attempts(int dir_fd, std::uint64_t count);

/// How many entries there are up to the last valid one.
std::uint64_t count_attempts(int dir_fd);

/// The writer's end. Not thread safe; its owner holds the app's lock.
class AttemptLog {
 public:
  /// Writes into the directory `dir_fd` (borrowed), but only if `needed`: an app without retries
  /// has no such file.
  AttemptLog(int dir_fd, bool needed);

  /// Makes room for `entries` in all. False with errno set when the disk is full or the file cannot
  /// be opened; a later call tries again.
  bool reserve(std::uint64_t entries);
  /// Writes entry `position`, with its checksum. False with errno set.
  bool put(std::uint64_t position, AttemptEntry entry);

 private:
  bool open();

  int dir_fd_;
  bool needed_;
  OwnedFd fd_;
  std::uint64_t room_ = 0;
};

}  // namespace slipway::local
