// Which part of the command line is being typed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

struct CompletionPlace {
  const CLI::App* root = nullptr;
  const CLI::App* command = nullptr;  ///< the deepest one that was chosen; `root` before any
  /// Of what the value is written: an option or a positional argument. nullptr: nothing is expected
  /// there but a command or an option's name.
  const CLI::Option* option = nullptr;
  bool names_option = false;  ///< the current word begins an option's name; `option` is nullptr
  std::string before;         ///< what the current word has before the value: `--scheduler=`
  std::vector<std::pair<const CLI::Option*, std::string>> given;  ///< with values, in their order
  components::ComponentCall call;  ///< a component that the current word is an argument of

  /// The last value of the option called `name` (long, without `--`, or that of a positional), or
  /// nothing.
  std::string value_of(const std::string& name) const;
};

/// `words` stand before `current`, the word at the cursor; options that `app` does not know have no
/// value. `app` must outlive the result.
CompletionPlace completion_place(const CLI::App& app, const std::vector<std::string>& words,
                                 const std::string& current);

/// `scheduler` for `-s,--scheduler`, `HANDLE` for a positional one.
std::string option_name(const CLI::Option& option);

}  // namespace slipway::cli
