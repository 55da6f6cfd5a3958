// Writes the text of the file that `config init` creates.
#pragma once

#include <string>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/dict.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// An option of a command, as the file shows it.
struct CommandOption {
  SettingKey key;  ///< of the section kCli
  std::string help;
  Value default_value;  ///< kNone if the option has no default
};

/// Returns a configuration file without settings. The file has a table for each command and
/// scheduler with all options as comments, required ones first: the option's help, the type of a
/// run option, and `# NAME = VALUE` with the default, or `# NAME =` if there is none. The file is
/// valid, and stays valid if the user removes `# ` from a line with a value. In `commands`, the
/// options of one table must be adjacent.
std::string config_template(const std::vector<CommandOption>& commands,
                            const Dict<RunOpts>& schedulers);

}  // namespace slipway::config
