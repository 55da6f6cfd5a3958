// Separates the words of `run` from those of a component, and options from empty values.
#pragma once

#include <string>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

struct SplitArguments {
  std::vector<std::string> own;  ///< the words of the command itself, for its parser
  /// The component and its arguments. Without a component: the arguments after `--`, which are for
  /// the configured component.
  components::ComponentCall call;
  bool after_separator = false;  ///< `--` comes before the component, which may then be a program
};

/// Returns whether the word after the option `word` is the option's value. `word` is a `-` with at
/// least one more character. `sub` is the command, or null.
bool value_follows(const CLI::App& app, const CLI::App* sub, const std::string& word);

/// Returns whether the words after the APP of this command belong to a component.
bool takes_component_words(const CLI::App& sub);

/// Returns whether an APP names a component, and not only a file (of an app or of one component) or
/// standard input. An empty APP does not: the command's parser must refuse it.
bool is_component(const std::string& source);

/// Splits the arguments. After `run` and `dryrun` the first word that is neither an option nor an
/// option's value is the APP. If it is a component, it and all later words belong to the component.
/// After a file or `-`, options still belong to the command. `app` is the parser, which knows which
/// options take a value.
SplitArguments split_arguments(const CLI::App& app, const std::vector<std::string>& arguments);

/// Returns the words of a command with each `--state=` as two words, `--state` and an empty one.
/// CLI11 would use the word after `--state=` as the value.
std::vector<std::string> with_empty_values(const CLI::App& app,
                                           const std::vector<std::string>& words);

}  // namespace slipway::cli
