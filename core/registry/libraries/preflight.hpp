// Inspects a library before it is loaded.
#pragma once

#include <string>

#include "core/registry/manifests/trust.hpp"

namespace slipway::registry {

/// Checks that dlopen() can load the shared object at `path` (absolute) without killing or blocking
/// the process. Runs no code of the library and takes a few microseconds.
///
/// Rationale: dlopen() dies of SIGBUS in a truncated file, blocks forever on a FIFO, and reports
/// "No such file or directory" for a library of another architecture. This function checks the file
/// type, the owner and mode of the file and its directory (also of the one into which a symbolic
/// link leads), the ELF header, and that no interpreter is set, as in executables. It also checks
/// that the program headers, all loadable segments and the section table end inside the file.
///
/// Throws Error: kUnavailable if the file is missing, truncated, no library or for another
/// architecture, or if the system fails to read it; kDenied without permission to read it, or if it
/// is not trusted; kConfig for a path that is not absolute or contains a NUL byte. `where()` is the
/// path of the library, or of a directory that is not trusted.
void preflight(const std::string& path, Origin origin, const TrustPolicy& trust);

}  // namespace slipway::registry
