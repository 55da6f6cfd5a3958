// TorchX's components around an application: `metrics.tensorboard` and `serve.torchserve`.
#pragma once

#include "plugins/components/builtins/builtin.hpp"

namespace slipway::builtins {

Builtin metrics_tensorboard();
Builtin serve_torchserve();

}  // namespace slipway::builtins
