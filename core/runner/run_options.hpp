// Run options on their way from text to the typed values that a scheduler gets. Semantics: TorchX's `runopts`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/options.hpp"

namespace slipway {

/// Reads `K=V,K2=V2` against the declared options. ',' and ';' separate pairs and, inside a value of type list or dict,
/// its items; dict items are `key:value`. A bool is true for "true" in any case, else false.
///
/// Options that nobody declared are left out and named in `warnings`, with the nearest declared name. Throws Error
/// kInvalid for text without '=' and for numbers that are none. Defaults are not filled in: see resolve_options.
Dict<Value> parse_options(const RunOpts& declared, std::string_view text,
                          std::vector<std::string>& warnings);

/// Checks `given` against the declared types and fills in defaults. Options that nobody declared are kept; a value of
/// kNone fits every type. Throws Error kInvalid that names every missing or ill-typed option. A bool passes for an int,
/// as in Python; an int does not pass for a float.
Cfg resolve_options(const RunOpts& declared, const Dict<Value>& given);

/// The value for a person: `true`, `3`, `text`, `a,b`, `k:v`.
std::string to_text(const Value& value);

}  // namespace slipway
