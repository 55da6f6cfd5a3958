// Errors for command lines that cannot be parsed, in Slipway's own words.
#pragma once

#include <string>

#include "core/cli/options/cli11_names.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Returns an Error kUsage for the error that CLI11 found while it parsed `app`. For an unknown
/// name, the hint names a similar option or command that is possible there.
Error wrong_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace slipway::cli
