// From a command line to the typed arguments of a component. Semantics: TorchX's component arguments
// (argparse), with the differences that core/docs/torchx.md lists.
#pragma once

#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::components {

/// Where arguments come from, the strongest last.
struct ArgumentSources {
  StrDict
      defaults;   ///< text by parameter, from config files; names of no parameter are passed over
  StrList words;  ///< the words after the component's name, see argument_words.hpp
  Dict<Value> values;  ///< typed, from JSON; a text is decoded like a word's
};

struct Arguments {
  /// A value for every parameter, of its type; kNone where it has none. The variadic one has a list.
  Cfg values;
  std::vector<std::string> warnings;
  /// Parameters that the words name more than once; the last value counts.
  StrList repeated;
};

/// Throws Error kUsage with a line for each problem: options that the component does not have (with
/// the nearest one), values that are missing or not of their type, words that are no option, and
/// required parameters without a value. A default of the component is not checked against its type,
/// but that an int will do for a float. Thread safe.
Arguments parse_arguments(const ComponentInfo& info, const ArgumentSources& sources);

/// Whether the words ask for help instead: `--help`, or `-h` where no parameter is called so, before
/// the variadic rest.
bool asks_for_help(const ComponentInfo& info, const StrList& words);

}  // namespace slipway::components
