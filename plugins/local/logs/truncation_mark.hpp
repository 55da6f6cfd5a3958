// A mark on a log file, which the file loses when a process truncates it.
//
// `echo x > /dev/stderr` truncates the file, and lines that were not copied before leave no trace
// in its size, times or content. The mark is a block that is reserved far behind the end of the
// file: no write reaches it, the size does not show it, and every truncation frees it. Slipway
// cannot free only this block on every file system, so the block stays until the file is truncated
// or removed.
#pragma once

#include <cstddef>

namespace slipway::local {

/// The logs of an app with more replicas are not marked: a mark takes 10 us, and a start only 200
/// us.
inline constexpr std::size_t kMostMarkedReplicas = 256;

/// Marks a file that is open for writing. Returns false if the file system cannot, or has no room.
bool set_truncation_mark(int fd);

/// Returns whether a marked file still has its mark. True also if that cannot be found out, or if
/// the file has grown as far as the mark.
bool has_truncation_mark(int fd);

}  // namespace slipway::local
