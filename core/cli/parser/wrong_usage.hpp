// Errors for command lines that do not parse, in Slipway's own words.
#pragma once

#include <string>

#include "core/cli/options/cli11_names.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Returns an error of code kUsage for the error that CLI11 found while it parsed `app`. For an
/// unknown name the hint has the nearest option or command that is possible at its place.
Error wrong_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace slipway::cli
