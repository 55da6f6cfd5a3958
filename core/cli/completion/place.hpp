// Finds the part of the command line that the cursor is in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

struct CompletionPlace {
  const CLI::App* root = nullptr;
  const CLI::App* command = nullptr;  ///< the deepest command before the cursor, at first `root`
  /// The option or positional argument whose value the user is typing. nullptr if a command or the
  /// name of an option is expected.
  const CLI::Option* option = nullptr;
  bool names_option = false;  ///< whether the current word begins an option's name
  std::string option_part;    ///< the part of the current word before the value: `--cfg=`, `-s`
  /// The options and positional arguments before the cursor with their values, in order.
  std::vector<std::pair<const CLI::Option*, std::string>> given;
  /// The component whose argument the user is typing, if any. `option` and `names_option` then mean
  /// nothing.
  components::ComponentCall call;
  /// The user is typing an argument of the configured component: `slipway run -- --msg`. `call`
  /// then has the arguments before it, without a component.
  bool is_for_configured_component = false;

  /// Returns the last value of the option or positional argument `name`, as option_name() names it,
  /// or an empty text.
  std::string value_of(const std::string& name) const;
};

/// Returns the place of `current`, the word at the cursor, after `words`, which may have TorchX's
/// names of options, such as `-cfg` (torchx_options.hpp). Treats an option that `app` does not know
/// as one without a value. `app` must outlive the result.
CompletionPlace completion_place(const CLI::App& app, const std::vector<std::string>& words,
                                 const std::string& current);

/// Returns the name of an option: `scheduler` for `-s,--scheduler`, `HANDLE` for the positional
/// argument.
std::string option_name(const CLI::Option& option);

}  // namespace slipway::cli
