// Run options on their way from text to the typed values that a scheduler gets. Semantics: TorchX's
// `runopts`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/run_opts.hpp"

namespace slipway {

/// Reads `K=V,K2=V2`, as spec::to_dict() does, against the declared options. The items of a list or
/// dict have ',' or ';' between them; empty items of a list vanish, those of a dict are
/// `key:value`; `NAME.KEY=V` is one entry of the dict NAME, with V as it stands. A bool is true for
/// "true" in any case, else false, which is told in `warnings` for any word but "false". Numbers
/// are those of Python (spec/number_text.hpp).
///
/// Options that nobody declared are left out and named in `warnings`, with the nearest declared
/// name. Throws Error kInvalid for text without '=' and for numbers that are none. Defaults are not
/// filled in: see resolve_options.
Dict<Value> parse_options(const RunOpts& declared, std::string_view text,
                          std::vector<std::string>& warnings);

/// Checks `given` against the declared types and fills in defaults. Options that nobody declared
/// are kept; a value of kNone fits every type. Throws Error kInvalid that names every missing or
/// ill-typed option. A bool passes for an int, as in Python; an int does not pass for a float.
Cfg resolve_options(const RunOpts& declared, const Dict<Value>& given);

/// The value for a person: `true`, `3`, `text`, `a,b`, `k:v`.
std::string to_text(const Value& value);

}  // namespace slipway
