// Converts run options from text to typed values for a scheduler. The rules are those of TorchX's
// `runopts`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/run_opts.hpp"

namespace slipway {

/// Run options from a text.
struct ParsedOptions {
  Dict<Value> values;
  std::vector<std::string> warnings;
  std::vector<std::string> unknown;  ///< names that the scheduler does not declare
};

/// Parses `K=V,K2=V2`, like spec::to_dict(), into values of the declared types. ',' or ';'
/// separates the items of a list or dict. Empty items of a list are ignored. An item of a dict is
/// `key:value`; `NAME.KEY=V` sets one entry of the dict NAME to V without further parsing, and
/// leaves its other entries as they are in `earlier`, the options from sources that `text`
/// overrides. A bool is true for "true" in any case and otherwise false, with a warning for any
/// word but "false".
///
/// Numbers have Python's notation (sdk/support/python_numbers.hpp).
///
/// Ignores a last '=' without a value, with a warning: an empty value is written `''`. Throws
/// Error kUsage for a key, value or item that starts with a quotation mark that is not closed;
/// kInvalid for text of another form, for invalid numbers, and for items of a dict without ':'; the
/// message names every value that is not of its option's type, one on each line.
/// Does not add defaults; see resolve_options().
ParsedOptions parse_options(const RunOpts& declared, std::string_view text,
                            const Dict<Value>& earlier = {});

/// Returns `given` with defaults, after checking the declared types. Keeps options that are not
/// declared. A value of kNone means the default; a required option with it is missing. A bool is
/// also an int, as in Python, but an int is not a float. Throws Error kInvalid that names every
/// missing or ill-typed option, and every path that starts with `~`.
Cfg resolve_options(const RunOpts& declared, const Dict<Value>& given);

}  // namespace slipway
