// The text forms of a dictionary and a list on a command line: `k=v,k2=v2` and `a,b`. Run options, parameters of
// components and config files share them. Semantics: TorchX's `to_dict` and `to_list`.
#pragma once

#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::spec {

/// Reads `KEY=VALUE` pairs with ',' or ';' between them. A value may hold separators, too: it ends at the last one before
/// the next '='. `key=a,b,other=c` is key `a,b` and other `c`. Blanks around keys and values do not count. What stands in
/// quotes, ' or ", is taken as it is, and quotes around a whole key or value are removed: `key='a=b,c'`, `key=''`. Of
/// several '=' in a row, and of one at the end, only one that has something on both sides counts. The last of equal keys
/// wins, in the place of the first.
///
/// An empty text is an empty dictionary. Throws Error kInvalid for text without a pair, without a separator between two
/// pairs, or with an empty key. Thread safe.
StrDict to_dict(std::string_view text);

/// The pieces between commas, without the blanks around them; an empty text has none. Thread safe.
StrList to_list(std::string_view text);

}  // namespace slipway::spec
