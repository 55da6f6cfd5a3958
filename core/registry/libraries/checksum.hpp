// Whether a library is the very file that its manifest means.
#pragma once

#include <string>

namespace slipway::registry {

/// The SHA-256 of the regular file, in 64 lowercase hexadecimal digits. Throws Error: kUnavailable,
/// kDenied when it cannot be read.
std::string sha256_of_file(const std::string& path);

/// Throws Error(kDenied) when `sha256` is not empty and not the file's; as above when it cannot be
/// read. `where` is the place that says so, for the message. Between this and the loading the file
/// can be exchanged by whoever may write it; trust.hpp keeps that to root and the user.
void check_pin(const std::string& path, const std::string& sha256, const std::string& where);

}  // namespace slipway::registry
