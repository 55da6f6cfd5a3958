// JSON in ASCII, as Python's json.dumps() writes it.
#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// Returns the JSON text with each character beyond ASCII as JSON's escapes, which leave its values
/// as they are: surrogate pairs beyond U+FFFF. A byte that is not UTF-8 becomes U+DC80..U+DCFF
/// (Python's surrogateescape), so that a path survives. Thread safe.
std::string ascii_json(std::string_view json);

}  // namespace slipway
