// Lists, dictionaries and command lines that are written as one text: `a,b`, `k=v,k2=v2`, `-a 'b c'`.
// Semantics of the first two: TorchX's `to_list` and `to_dict`.
#pragma once

#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::components {

/// Items between commas, without the blanks around them. A text of blanks has none; `,` has two
/// empty ones. Quotes and `;` mean nothing.
StrList list_of_text(std::string_view text);

/// Pairs `key=value`, separated by `,` or `;`. A value may hold separators: it ends at the last one
/// before the next `=`. What stands in quotes is never split, and quotes around a whole value are
/// removed. Blanks around keys and values do not count; of equal keys the last wins.
///
/// Throws Error kInvalid for a text that is not empty and has no pair, and for two pairs without a
/// separator or a value between them. Differs from TorchX in that a key may stand in quotes (there
/// it becomes `__QUOTED_0__`).
StrDict dict_of_text(std::string_view text);

/// Words as a shell splits them: at blanks, with '…', "…" and \ for what is to stay together.
/// Nothing is expanded. Throws Error kInvalid for a quote that does not end.
StrList words_of_text(std::string_view text);

}  // namespace slipway::components
