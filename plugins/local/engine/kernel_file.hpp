// Files that the kernel makes up as they are read: /proc, cgroups.
#pragma once

#include <string>

namespace slipway::local {

/// All of it (their sizes say nothing), at most 16 MiB; empty when it cannot be read.
std::string kernel_file(const std::string& path);

}  // namespace slipway::local
