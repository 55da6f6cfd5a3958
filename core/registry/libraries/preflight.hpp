// What can be known about a library without running a byte of it.
#pragma once

#include <string>

#include "core/registry/manifests/trust.hpp"

namespace slipway::registry {

/// Inspects the shared object at `path` (absolute) so that loading it cannot kill, hang or mislead
/// the process.
///
/// dlopen maps a truncated file and dies of SIGBUS, blocks for ever on a FIFO, and calls a library
/// for another machine "No such file or directory". This finds all of that first: file type, owner
/// and mode (file and directory), ELF magic, class, byte order, machine and type, an interpreter
/// (executables), and that every loadable segment, the program headers and the section table end
/// inside the file. A few microseconds; no code of the library runs.
///
/// Throws Error: kUnavailable (not there, not a library, truncated, other machine), kDenied (owner,
/// mode, unreadable), kConfig (not an absolute path). `where()` is the path.
void preflight(const std::string& path, Origin origin, const TrustPolicy& trust);

}  // namespace slipway::registry
