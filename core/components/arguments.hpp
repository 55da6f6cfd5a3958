// Makes the typed arguments of a component from a command line, configuration files and JSON.
// Semantics: TorchX's component arguments (argparse), with the differences that core/docs/torchx.md
// lists.
#pragma once

#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::components {

/// The sources of arguments. A later member overrides an earlier one.
struct ArgumentSources {
  Dict<Value> defaults;  ///< by parameter, from config files; unknown names are ignored
  StrList words;         ///< the words after the component's name, see argument_words.hpp
  Dict<Value> values;    ///< typed from JSON, or texts of -P
};

struct Arguments {
  /// A value of the right type for every parameter, or kNone; the variadic parameter has a list.
  Cfg values;
  std::vector<std::string> warnings;
  StrList given;  ///< the parameters to which one of the sources gives a value
  /// Parameters that the words set more than once. `values` has the last value; core/cli refuses
  /// such words.
  StrList repeated;
};

/// Returns an argument for every parameter. A text in `defaults` or `values` is decoded to the
/// parameter's type; one for the variadic parameter is split into words as by a shell. Throws
/// Error(kUsage) with a line for each problem: unknown options and names in `values` (with the
/// nearest name), values that are missing or have the wrong type, unexpected words, and required
/// parameters without a value. Does not check a default of the component against its type, but
/// converts an int default of a float parameter. Thread safe.
Arguments parse_arguments(const ComponentInfo& info, const ArgumentSources& sources);

/// Returns the value as the parameter's type, as parse_arguments() decodes it. Throws
/// Error(kInvalid) if it does not fit. Thread safe.
Value converted(const ComponentParam& param, const Value& value);

/// Returns whether the words ask for help: `--help`, or `-h` if it is no parameter's option, before
/// the variadic rest.
bool asks_for_help(const ComponentInfo& info, const StrList& words);

}  // namespace slipway::components
