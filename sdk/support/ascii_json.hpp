// JSON in ASCII, as Python's json.dumps() writes it.
#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// Returns the JSON text with each character beyond ASCII as a JSON escape, or as two (a surrogate
/// pair) beyond U+FFFF, so that its values do not change. A byte that is not UTF-8 becomes U+DC80
/// to U+DCFF (Python's surrogateescape), so that a reader can restore a path. [any thread]
std::string ascii_json(std::string_view json);

}  // namespace slipway
