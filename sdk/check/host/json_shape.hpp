// Whether a text is JSON.
#pragma once

#include <string_view>

namespace slipway::check {

/// True when `text` is one JSON object (RFC 8259) and nothing else but white space. Nested at most 100 deep.
bool is_json_object(std::string_view text);

}  // namespace slipway::check
