// Where the words of `run` end and those of a component begin.
#pragma once

#include <string>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

struct SplitArguments {
  std::vector<std::string> own;  ///< for the command's parser
  /// With a component: it and its arguments. With arguments alone, those behind `--`: they are for
  /// the configured one.
  components::ComponentCall call;
};

/// After `run` and `dryrun` the first word that is neither an option nor an option's value is the
/// APP. When that is a component, it and everything behind it is the component's; after a file, or
/// `-`, options are still the command's. `app` is the parser, which knows the options that take a
/// value.
SplitArguments split_arguments(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace slipway::cli
