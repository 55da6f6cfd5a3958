// Parses the run options of `-c`.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::cli {

/// Parses the texts of `-c` for a scheduler with the run options `declared`, and prints the
/// warnings. An option that only other schedulers have is ignored with a warning, because a script
/// may give the same options to all schedulers. Throws an Error kInvalid that names all options
/// that no scheduler has, and as parse_options(). `other_options` has the options from other
/// origins: for a text such as `backoff.max=60`, the result has the entries of `backoff` there, and
/// `max`.
Dict<Value> options_from_words(Invocation& invocation, const std::string& scheduler,
                               const RunOpts& declared, const std::vector<std::string>& texts,
                               const Dict<Value>& other_options);

}  // namespace slipway::cli
