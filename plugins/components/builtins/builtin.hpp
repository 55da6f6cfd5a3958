// What a built-in component is: a description, and a function from arguments to an app.
#pragma once

#include "slipway/components.hpp"

namespace slipway::builtins {

/// One call of a component; everything is borrowed for the time of the call.
struct BuildRequest {
  const Cfg& args;  ///< a value for every parameter that has one
  const Host& host;
  const Call& call;
};

struct Builtin {
  ComponentInfo info;
  /// Throws Error(kInvalid) for arguments that do not go together.
  AppDef (*build)(const BuildRequest& request);
};

}  // namespace slipway::builtins
