// Converts settings of a scheduler to the types that the scheduler declares.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

struct RunOptionSetting {
  Value value;
  /// The setting that the value comes from; its key has the option's name. Points into Settings.
  const Setting* from = nullptr;
};

/// Returns the bool that a text of a .torchxconfig stands for, or nullopt.
std::optional<bool> torchx_bool(std::string_view text);

/// Returns a value of a TOML file as a value of `type`, or nullopt if it has another type.
std::optional<Value> typed_value(ValueType type, const spec::Node& node);

/// Returns whether a command needs the value of a setting.
using NeedsValue = std::function<bool(const Setting& setting)>;

/// Returns the run options of `scheduler` in the settings, lowest precedence first. Includes
/// options of [scheduler."*"] that the scheduler declares. Omits the `state_dir` of configuration
/// files, which is for the host.
///
/// Omits an option that the scheduler does not declare, with a warning that has its place and a
/// similar name, but without a warning for options of [scheduler."*"] and of [DEFAULT] in a
/// .torchxconfig. In an app file such an option is an error. Adds an error for each value of a
/// wrong type, and for each defect of a value that `needs_value` returns true for, or of every
/// value if it is empty.
///
/// In TOML, an integer is also a float, a list contains strings, and a table contains strings by
/// name. In a .torchxconfig, `None` is kNone; a bool is 1, yes, true, on, 0, no, false or off; ';'
/// separates the items of a list, each of which may be empty; a table consists of `k:v` separated
/// by ',' or ';'.
std::vector<RunOptionSetting> run_option_settings(const Settings& settings,
                                                  const std::string& scheduler,
                                                  const RunOpts& declared,
                                                  std::vector<spec::Problem>& problems,
                                                  const NeedsValue& needs_value = {});

}  // namespace slipway::config
