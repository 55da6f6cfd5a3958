// The bytes of a configuration file, from a file that may be trusted.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>

namespace slipway::config {

/// Configuration files above this many bytes (1 MiB) are refused.
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// Throws Error(kDenied) when the open file, whose status is `st`, must not steer this process.
/// Empty: every file may.
using FileCheck = std::function<void(const struct stat& st)>;

/// Returns the content of `path`; nullopt when there is no such file. Opens nothing but a regular
/// file that is trusted, so that neither a pipe makes it wait nor a device notices it. Throws
/// Error: kDenied when the file may not be read or is not trusted, kConfig when it is not a regular
/// file or too large, kTemporary when the system fails.
std::optional<std::string> read_config_text(const std::string& path, const FileCheck& trusted);

}  // namespace slipway::config
