// Checks and splits the names inside an archive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::archive_image {

/// Returns the parts of an entry's name without `./` and double slashes; empty for the image's
/// root. Throws Error(kInvalid) for an empty name, for one outside the image (an absolute path,
/// `..`), and for one that is too long (more than `max_bytes`, a part of more than 255 bytes, more
/// than 256 parts). The message begins with `what`, which says what the name is.
std::vector<std::string> entry_parts(std::string_view name, std::size_t max_bytes,
                                     const std::string& what = "entry");

/// Returns the parts as a path relative to the image's root.
std::string entry_path(const std::vector<std::string>& parts);

/// Returns a name for messages: control characters as visible_line() shows them (`\x1b`, `\n`), and
/// shortened to the length of a line.
std::string printable_name(std::string_view name);

}  // namespace slipway::archive_image
