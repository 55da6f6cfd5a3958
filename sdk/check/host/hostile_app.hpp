// An app and run options as the most awkward legal host would hand them over.
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
  bool unknown_values =
      false;  ///< enumerations that no version knows, and a run option of an unknown type (R8)
};

/// The views of `app` in `memory`; valid until that vanishes. Every string is without a NUL.
const slipway_app_def* hostile_app(GuardedMemory& memory, const AppDef& app, Awkwardness how = {});
const slipway_role* hostile_role(GuardedMemory& memory, const Role& role, Awkwardness how = {});

/// The same for run options, and for arguments of a component.
const slipway_cfg* hostile_cfg(GuardedMemory& memory, const Cfg& cfg, Awkwardness how = {});

}  // namespace slipway::check
