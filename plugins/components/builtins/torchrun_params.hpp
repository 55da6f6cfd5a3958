// The parameters that dist.ddp and dist.spmd have in common.
#pragma once

#include <vector>

#include "slipway/components.hpp"

namespace slipway::builtins {

/// `--script`, `-m`, `--image`, `--name`
std::vector<ComponentParam> program_params();

/// `--debug`
ComponentParam debug_param();

}  // namespace slipway::builtins
