// Settings of a scheduler as values of the types that it declares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

struct RunOptionSetting {
  Value value;
  const Setting* from = nullptr;  ///< lives as long as the settings; its key has the option's name
};

/// Returns a value of a TOML file as one of the type, or nothing when it is of another type.
std::optional<Value> typed_value(ValueType type, const spec::Node& node);

/// Returns what files say about run options of `scheduler`, lowest precedence first.
/// [scheduler."*"] counts for the options that the scheduler declares; `state_dir`, which the host
/// acts on, is left out.
///
/// An option that the scheduler does not declare is left out: a warning with its place and a near
/// name, or none when [DEFAULT] of a .torchxconfig brings it along. Values of a wrong type are
/// errors (kConfig): all are found, and none is left out silently.
///
/// TOML: an integer passes for a float; a list holds strings, a table strings by name.
/// .torchxconfig: `None` is null; a bool is 1, yes, true, on, 0, no, false or off; lists are split
/// at ';' and keep empty items; tables are `k:v` separated by ',' or ';'.
std::vector<RunOptionSetting> run_option_settings(const Settings& settings,
                                                  const std::string& scheduler,
                                                  const RunOpts& declared,
                                                  std::vector<spec::Problem>& problems);

}  // namespace slipway::config
