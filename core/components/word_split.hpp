// A command line that is written as one text: `-a 'b c'`.
#pragma once

#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::components {

/// Words as a shell splits them: at blanks, with '…', "…" and \ for what is to stay together.
/// Nothing is expanded. Throws Error kInvalid for a quote that does not end.
StrList words_of_text(std::string_view text);

}  // namespace slipway::components
