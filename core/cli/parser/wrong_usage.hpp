// What is wrong with a command line, in words that fit those of the other errors.
#pragma once

#include <string>

#include "core/cli/options/cli11_names.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// The error, kUsage, that stands for what CLI11 found while it parsed `app`. A name that it does
/// not know brings the nearest one that it does, among the options and commands that could stand in
/// its place.
Error wrong_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace slipway::cli
