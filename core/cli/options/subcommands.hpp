// The commands below a command.
#pragma once

#include <CLI/CLI.hpp>

namespace slipway::cli {

/// All of them, in the order in which they were added; CLI11 without a filter returns those that
/// were chosen.
template <class App>  // const or not
auto subcommands_of(App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace slipway::cli
