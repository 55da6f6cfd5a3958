// TorchX's `utils` components; parameters and results are those of `torchx.components.utils`.
#pragma once

#include "plugins/components/builtins/builtin.hpp"

namespace slipway::builtins {

Builtin utils_binary();
Builtin utils_booth();
Builtin utils_copy();
Builtin utils_echo();
Builtin utils_python();
Builtin utils_sh();
Builtin utils_touch();

}  // namespace slipway::builtins
