// Splits the words after the options of `run` into a component and its arguments.
#pragma once

#include <string>

#include "slipway/dict.hpp"

namespace slipway::components {

struct ComponentCall {
  std::string component;
  StrList args;
};

/// Drops a leading `--` and takes the first word as the component. If there is no word, or the
/// first is an option, the component is `default_component` and all words are its arguments; throws
/// Error(kUsage) if `default_component` is empty in this case. Semantics: `torchx run`.
ComponentCall split_call(StrList words, const std::string& default_component);

}  // namespace slipway::components
