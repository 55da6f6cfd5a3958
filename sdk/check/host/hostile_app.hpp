// Builds the views of apps and run options in the most awkward form that the rules allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sdk/check/host/guarded_memory.hpp"
#include "slipway/abi/app.h"
#include "slipway/abi/options.h"
#include "slipway/app.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

struct Awkwardness {
  std::size_t extra_stride = 0;  ///< a multiple of 8
  bool unknown_orders = false;   ///< unknown kinds of mounts and retry policies (R8)
  bool unknown_options = false;  ///< run options of another scheduler and of unknown type (R8)
};

/// Return the views of an app or role in `memory`; valid until `memory` vanishes. No string ends
/// with a NUL.
const slipway_app_def* hostile_app(GuardedMemory& memory, const AppDef& app, Awkwardness how = {});
const slipway_role* hostile_role(GuardedMemory& memory, const Role& role, Awkwardness how = {});

/// Does the same for run options and arguments of a component.
const slipway_cfg* hostile_cfg(GuardedMemory& memory, const Cfg& cfg, Awkwardness how = {});

}  // namespace slipway::check
