// Reads dictionaries and lists from text: `k=v,k2=v2` and `a,b`. Run options, parameters of
// components and config files share these forms. Semantics: TorchX's `to_dict` and `to_list`.
#pragma once

#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::spec {

/// Reads `KEY=VALUE` pairs that are separated by ',' or ';'.
/// - A value may contain separators: it ends at the last separator before the next '='.
///   `key=a,b,other=c` sets key to `a,b` and other to `c`.
/// - Blanks around keys and values are ignored.
/// - Text in single or double quotes is taken literally; quotes around a whole key or value are
///   removed: `key='a=b,c'`, `key=''`. A quote that is not closed is a plain character.
/// - An '=' at the start or the end of the text, and all but one of several in a row, are ignored:
///   `a=1,b=` sets a to `1,b`.
/// - If a key repeats, the last value wins and the first position is kept.
///
/// An empty text is an empty dictionary. Throws Error(kInvalid) for a text without a pair, for an
/// empty key, and for a pair other than the last that has no value (`a=,b=1`) or no separator after
/// it (`a=1=2`). Thread safe.
StrDict to_dict(std::string_view text);

/// Splits at commas and trims blanks. Keeps empty items, but an empty text is an empty list. Thread
/// safe.
StrList to_list(std::string_view text);

}  // namespace slipway::spec
