// Everything that is wrong with what is configured, for who looks after it.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

/// Reads all layers again, once for every profile that there is, and looks at what each command
/// would look at only when it runs: names and values of options, sections of schedulers and
/// components that there are not, run options against the types that the schedulers declare, names
/// of parameters, what the site locks. Each problem once, with its place; no hint is empty. Loads
/// the schedulers and components that files have sections for. Throws nothing for what is in files.
std::vector<spec::Problem> check_configuration(Invocation& invocation);

/// Does the same for one file that need not be in its place yet: `as_site` as the site's file,
/// otherwise as a file of `--config` beside the site's. Its owner and mode do not matter.
std::vector<spec::Problem> check_configuration_file(Invocation& invocation, const std::string& file,
                                                    bool as_site);

}  // namespace slipway::cli
