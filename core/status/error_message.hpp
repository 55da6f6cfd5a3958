// The messages of error files, which can be pages long, made readable. Semantics: TorchX's `AppStatus.format`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// The part of an error message that says what went wrong:
/// of a remote error (`Type('On WorkerInfo(…):`, lines, `')` at the start of a line) that alone, without what stands
/// around it; then, where a line starts with `Exception`, the first line that such a line follows. Anything else is
/// given back as it is.
std::string reduce_error_message(std::string_view message);

/// Broken at the first space that is at least `width` characters (code points, not bytes) behind the start or the space of
/// the last break; the space is dropped. Line breaks in the message stay, and do not start the count again. At least one
/// piece; a word is never broken.
std::vector<std::string> wrap_error_message(std::string_view message, std::size_t width = 80);

}  // namespace slipway
