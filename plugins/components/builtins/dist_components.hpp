// TorchX's `dist` components; parameters and results are those of `torchx.components.dist`.
#pragma once

#include "plugins/components/builtins/builtin.hpp"

namespace slipway::builtins {

Builtin dist_ddp();
Builtin dist_spmd();

}  // namespace slipway::builtins
