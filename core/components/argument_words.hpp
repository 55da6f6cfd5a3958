// Separates the words after a component's name into options, their values and the variadic rest.
// Semantics: Python's argparse, as TorchX configures it for components.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::components {

/// An option of a parameter of the component.
struct GivenOption {
  const ComponentParam* param = nullptr;  ///< points into the ComponentInfo
  std::optional<std::string> value;       ///< nullopt if missing, which is one of the problems
};

struct ArgumentWords {
  std::vector<GivenOption> options;  ///< in the order of the words
  StrList rest;                      ///< the words of the variadic parameter
  bool help = false;                 ///< --help was given, or -h if it is no parameter's option
  std::vector<std::string> problems;
};

/// Separates the words; reports mistakes in `problems` and never throws for them. `info` must
/// outlive the result.
///
/// An option is `--name VALUE`, `--name=VALUE`, or a unique prefix of the name. A parameter with a
/// short name or a name of one letter can also be given as `-n VALUE`, `-nVALUE` or `-n=VALUE`. A
/// separate value must not start with a dash unless it is `-`, contains a blank, or is a negative
/// number in a component without an option such as `-1`; for other values write `--name=-x`. If the
/// component has a variadic parameter, the first word that is neither option nor value starts the
/// rest, which extends to the last word; a `--` at its start is dropped.
ArgumentWords separate_words(const ComponentInfo& info, const StrList& words);

/// Returns the names of the parameters that the words set more than once, in the order of the
/// words.
StrList repeated_params(const ArgumentWords& words);

/// Returns a parameter's name for messages: `--name`, or `name` for the variadic parameter.
std::string option_name(const ComponentParam& param);

/// Returns the letter of the short form, or 0: the short name, else the name if it is one letter.
char short_letter(const ComponentParam& param);

}  // namespace slipway::components
