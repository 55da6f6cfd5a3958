// How much of the disk a directory takes.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::local {

/// Returns the bytes that the directory `name` and the files below it occupy. Follows no link in
/// it, leaves out other file systems and what is deeper than 64 directories, and counts what it
/// cannot read as 0.
std::int64_t disk_use(int dir_fd, const std::string& name);

}  // namespace slipway::local
