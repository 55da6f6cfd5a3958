// JSON strings as Python's json module writes them.
#pragma once

#include <string>
#include <string_view>

namespace slipway::local {

/// `text` in double quotes, everything but printable ASCII escaped; characters beyond U+FFFF become
/// surrogate pairs, and a byte that is not UTF-8 becomes U+DC80..U+DCFF (Python's surrogateescape),
/// so that a path survives.
std::string json_quoted(std::string_view text);

}  // namespace slipway::local
