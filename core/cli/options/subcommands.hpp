// The subcommands of a command.
#pragma once

#include <CLI/CLI.hpp>

namespace slipway::cli {

/// Returns all subcommands, in the order in which they were added. Without a filter CLI11 returns
/// only those on the command line.
template <class App>  // const or not
auto subcommands_of(App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Returns the subcommand of this name, or null.
inline const CLI::App* subcommand_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* sub : subcommands_of(app)) {
    if (sub->get_name() == name) return sub;
  }
  return nullptr;
}

}  // namespace slipway::cli
