// Checks whether a text is JSON.
#pragma once

#include <string_view>

namespace slipway::check {

/// Returns whether `text` is a single JSON object (RFC 8259), nested at most 100 deep, with
/// optional white space.
bool is_json_object(std::string_view text);

}  // namespace slipway::check
