// Keeps log files from filling the disk without standing between a replica and its file.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plugins/local/engine/log_rules.hpp"

namespace slipway::local {

/// The files of a replica that have a limit.
enum class LimitedFile : std::uint8_t { kStdout, kStderr, kCombined };

/// Gives the blocks at the front of a file back (a hole), whole pieces at a time: the file keeps
/// its name, its size and every offset in it, and a replica that appends to it notices nothing.
/// Nothing is copied, so nothing can be lost between copying and cutting. Readers: log_hole.hpp.
///
/// 12 bytes per replica. One thread.
class LogLimit {
 public:
  /// `root` is borrowed; paths are relative to it.
  LogLimit(int root, const LogRules& rules) : root_(root), rules_(rules) {}

  /// The first `size` bytes of the file may go, as far as the rules keep less. True if nothing had
  /// to be done; false with errno set when the file system cannot do it (EOPNOTSUPP: none of NFS
  /// before 4.2, FAT and the like); it is tried again when the next piece is full.
  bool apply(std::uint32_t index, LimitedFile file, const char* path, std::uint64_t size);

 private:
  int root_;
  LogRules rules_;
  std::vector<std::array<std::uint32_t, 3>> freed_;  // pieces, by index and file
};

}  // namespace slipway::local
