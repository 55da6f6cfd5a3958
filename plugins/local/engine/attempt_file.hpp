// `attempts.bin`: how the attempts that were retried have ended. The last attempt of a replica is in
// its record (state_layout.hpp) and not here.
//
// An array of AttemptEntry, of which StateHeader::attempts are valid. The supervisor writes an entry
// before the change that makes it true. When it is killed in between, its successor writes that entry
// again: of several for the same replica and attempt, the first is the true one.
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

/// Makes the file (0600) with room for `entries`, so that a full disk cannot keep the end of a first
/// attempt from being recorded. Throws kCantCreate.
void create_attempts(int dir_fd, std::uint64_t entries);

/// The valid ones of the first `count` entries, in the order of the file. Damaged entries are left
/// out; no file is no entry.
std::vector<AttemptEntry> read_attempts(int dir_fd, std::uint64_t count);

/// How many entries, valid or not, the file has room for.
std::uint64_t room_for_attempts(int dir_fd);

/// The writer's end. Not thread safe; its owner holds the app's lock.
class AttemptLog {
 public:
  /// No file: reserve() and put() do nothing (the app has no retries).
  explicit AttemptLog(int dir_fd);

  /// Makes room for `entries` in all. False with errno set when the disk is full.
  bool reserve(std::uint64_t entries);
  /// Writes entry `position`, with its checksum. False with errno set.
  bool put(std::uint64_t position, AttemptEntry entry);

 private:
  OwnedFd fd_;
  std::uint64_t room_ = 0;
};

}  // namespace slipway::local
