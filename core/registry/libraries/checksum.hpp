// Compares a library with the checksum in its manifest.
#pragma once

#include <string>

namespace slipway::registry {

/// Returns the SHA-256 of a regular file, in 64 lowercase hexadecimal digits. Throws Error kDenied
/// without permission to read it, and kUnavailable for other failures.
std::string sha256_of_file(const std::string& path);

/// Throws Error kDenied if `sha256` is neither empty nor the file's, and like sha256_of_file() if
/// the file cannot be read. `where` is the place of the checksum, for the message. A user who may
/// write the file can replace it between this check and the loading; trust.hpp ensures that only
/// root, the user, and trusted owners and groups can.
void check_sha256(const std::string& path, const std::string& sha256, const std::string& where);

}  // namespace slipway::registry
