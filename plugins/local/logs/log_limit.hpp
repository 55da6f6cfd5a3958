// Keeps log files from filling the disk, while each replica writes its file directly, and reads
// files whose front is gone.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "plugins/local/engine/log_rules.hpp"

namespace slipway::local {

/// The files of a replica that have a limit.
enum class LimitedFile : std::uint8_t { kStdout, kStderr, kCombined };

/// Gives the blocks at the front of a file back to the disk, in whole pieces, which leaves a hole.
/// The file keeps its name, its size and all offsets, and a replica that appends to it notices
/// nothing. Nothing is copied, so no bytes can be lost between a copy and a cut. Readers use
/// in_hole(). Takes 12 bytes per replica. For one thread.
class LogLimit {
 public:
  /// `root` is borrowed; paths are relative to it. `rules` have a limit (piece_bytes > 0).
  LogLimit(int root, const LogRules& rules) : root_(root), rules_(rules) {}

  /// Gives back those of the first `size` bytes of the file that the rules do not keep. Returns
  /// false with errno set if the file system cannot do it (EOPNOTSUPP, such as FAT and NFS before
  /// 4.2), or not now. The call after the next full piece tries again. A missing file is no
  /// failure.
  bool apply(std::uint32_t replica, LimitedFile file, const char* path, std::uint64_t size);

 private:
  int root_;  // descriptor of a directory
  LogRules rules_;
  // Number of pieces that apply() has tried to give back, by replica and LimitedFile.
  std::vector<std::array<std::uint32_t, 3>> freed_;
};

/// Returns whether `bytes`, which were just read from `offset` on, may lie in a hole, such as
/// the part of the file that LogLimit gave back; then stores in `next` where to continue. Looks
/// only at the edges of each page of `bytes` if there are no NUL characters. Also correct if the
/// front is given back during the read: that hole always begins at the start of the file, and ends
/// with a page.
bool in_hole(int fd, std::uint64_t offset, std::string_view bytes, std::uint64_t& next);

}  // namespace slipway::local
