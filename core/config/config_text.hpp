// Reads the text of a configuration file if the file is trusted.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>

namespace slipway::config {

/// The largest configuration file, in bytes (1 MiB).
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// Throws Error(kDenied) if the file, whose status is `st`, is not trusted. An empty function
/// trusts every file.
using FileCheck = std::function<void(const struct stat& st)>;

/// Returns the content of `path`, or nullopt for a missing file. Opens only a trusted regular file,
/// because opening a pipe could block and opening a device could affect it. Throws Error: kDenied
/// if the file is unreadable or not trusted, kConfig if the path is invalid or the file is too
/// large or not a regular one, kTemporary if the system fails.
std::optional<std::string> read_config_text(const std::string& path, const FileCheck& check_trust);

}  // namespace slipway::config
