// The file that `config init` writes.
#pragma once

#include <string>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/dict.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// An option of a command for the file.
struct CommandOption {
  SettingKey key;  ///< of the section kCli
  std::string help;
  Value default_value;  ///< kNone: none
};

/// Returns a configuration file without settings. It has a table for each command and scheduler
/// with all options as comments, required ones first. Each has its help and its default, a run
/// option also its type: `# NAME = VALUE`, or `# NAME =` if there is no default. The file is valid,
/// also after removing `# ` from any `# NAME = VALUE` line. `commands` must be sorted by table.
std::string config_template(const std::vector<CommandOption>& commands,
                            const Dict<RunOpts>& schedulers);

}  // namespace slipway::config
