// The words after the options of `run`: which component, and its arguments.
#pragma once

#include <string>

#include "slipway/dict.hpp"

namespace slipway::components {

struct ComponentCall {
  std::string component;
  StrList args;
};

/// Drops a leading `--`, and takes the first word as the component; when there is none, or it is an
/// option, the component is `default_component` and all words are its arguments. Throws Error kUsage
/// when that is empty. Semantics: `torchx run`.
ComponentCall split_call(StrList words, const std::string& default_component);

}  // namespace slipway::components
