// The built-in components, each with a description and a function from arguments to an app.
// Parameters and results are those of `torchx.components`.
#pragma once

#include "slipway/components.hpp"

namespace slipway::builtins {

/// One call of a component. The members are valid during the call.
struct BuildRequest {
  const Cfg& args;  ///< values by parameter; a parameter without a value is kNone or missing
  const Host& host;
  const Call& call;
};

struct Builtin {
  ComponentInfo info;
  /// Returns the app. Throws Error(kInvalid) for arguments that contradict each other.
  AppDef (*build)(const BuildRequest& request);
};

Builtin dist_ddp();
Builtin dist_spmd();
Builtin metrics_tensorboard();
Builtin serve_torchserve();
Builtin utils_binary();
Builtin utils_booth();
Builtin utils_copy();
Builtin utils_echo();
Builtin utils_python();
Builtin utils_sh();
Builtin utils_touch();

}  // namespace slipway::builtins
