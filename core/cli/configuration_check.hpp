// Everything that is wrong with what is configured, for who looks after it.
#pragma once

#include <vector>

#include "core/cli/invocation.hpp"

namespace slipway::cli {

/// Reads all layers again, once for every profile that there is, and looks at what each command
/// would look at only when it runs: names and values of options, sections of schedulers and
/// components that there are not, run options against the types that the schedulers declare, names
/// of parameters, what the site locks. Each problem once, with its place; no hint is empty. Loads
/// the schedulers and components that files have sections for. Throws nothing for what is in files.
std::vector<spec::Problem> check_configuration(Invocation& invocation);

}  // namespace slipway::cli
