// Names inside an archive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::archive_image {

/// The parts of an entry's name, `./` and doubled slashes removed; empty for the image's root itself. Throws Error
/// kInvalid for what would lie outside of the image (an absolute path, `..`) and for what no file system can hold (more
/// than `max_bytes`, a part of more than 255 bytes, more than 256 parts).
std::vector<std::string> entry_parts(std::string_view name, std::size_t max_bytes);

/// The parts as a path relative to the image's root.
std::string joined(const std::vector<std::string>& parts);

/// A name as a message may show it: control characters as `\xNN`, and not longer than a line.
std::string shown(std::string_view name);

}  // namespace slipway::archive_image
