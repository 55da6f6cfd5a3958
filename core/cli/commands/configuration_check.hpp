// Finds all mistakes of the configuration, for `plugin doctor` and `config check`.
#pragma once

#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

/// Reads all layers again, first without --profile and then with each profile, and returns every
/// problem that some command would find: names and values of options, sections of unknown
/// schedulers and components, types of run options, names of parameters, and the site's locks and
/// limits. Returns each problem once, with its place and a hint. Queries the schedulers and
/// components that files have sections or limits for. Throws nothing for mistakes in files.
/// `make_cli_app` makes the commands, whose options [cli] may set.
std::vector<spec::Problem> check_configuration(Invocation& invocation, MakeCliApp make_cli_app);

/// Returns the problems of one file, which need not be installed, as check_configuration() finds
/// them. With `as_site`, checks it as the site's file; otherwise as a file of `--config`, in
/// addition to the site's file. Ignores the file's uid and mode.
std::vector<spec::Problem> check_configuration_file(Invocation& invocation, MakeCliApp make_cli_app,
                                                    const std::string& file, bool as_site);

}  // namespace slipway::cli
