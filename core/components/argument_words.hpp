// The words after a component's name, told apart: options, their values, and the variadic rest.
// Semantics: Python's argparse, as TorchX sets it up for components.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::components {

/// An option that a parameter of the component answers to.
struct GivenOption {
  const ComponentParam* param = nullptr;  ///< of the ComponentInfo
  std::optional<std::string> value;       ///< nullopt: there is none, which is among the problems
};

struct ArgumentWords {
  std::vector<GivenOption> options;  ///< in the order of the words
  StrList rest;                      ///< what the variadic parameter gets
  bool help = false;                 ///< --help, or -h where no parameter is called so
  std::vector<std::string> problems;
};

/// Never throws for what the words are. `info` must outlive the result.
///
/// An option is `--name VALUE`, `--name=VALUE` or the start of a name that only one parameter has;
/// a parameter with a short name or a name of one letter is also `-n VALUE`, `-nVALUE`, `-n=VALUE`.
/// A value may not look like an option, except for a negative number; `--name=-x` gets around that.
/// With a variadic parameter the first word that is neither starts the rest, which goes to the end
/// whatever it looks like; a `--` at its start is dropped.
ArgumentWords tell_apart(const ComponentInfo& info, const StrList& words);

/// Names of the parameters that the words give more than once, in the order of the words.
StrList repeated(const ArgumentWords& words);

/// How a parameter is written in a message: `--name`; the variadic one by its name alone.
std::string option_name(const ComponentParam& param);

/// The letter of the short form, or 0: the short name, else the name when it is one letter long.
char short_letter(const ComponentParam& param);

}  // namespace slipway::components
