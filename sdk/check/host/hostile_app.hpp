// Builds the views of apps and run options in the most awkward form that the rules allow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sdk/check/host/guarded_memory.hpp"
#include "slipway/abi/app.h"
#include "slipway/abi/options.h"
#include "slipway/app.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

/// An enumeration value of a later version, which a plug-in must refuse (rule R8 of
/// slipway/abi/base.h).
enum class UnknownValue : std::uint8_t { kNone, kRetryPolicy, kMountKind };

/// Unusual but permitted forms of the input that a host passes to a plug-in. By default none is
/// used.
struct Awkwardness {
  std::size_t extra_stride = 0;                      ///< bytes between elements, a multiple of 8
  UnknownValue unknown_value = UnknownValue::kNone;  ///< in each role, or each mount
  bool unknown_options = false;  ///< adds options of another scheduler and of unknown type (R8)
};

/// Return the view of an app or role in `memory`, valid until GuardedMemory::vanish(). No string
/// ends with a NUL.
const slipway_app_def* hostile_app(GuardedMemory& memory, const AppDef& app, Awkwardness how = {});
const slipway_role* hostile_role(GuardedMemory& memory, const Role& role, Awkwardness how = {});

/// Does the same for run options and arguments of a component.
const slipway_cfg* hostile_cfg(GuardedMemory& memory, const Cfg& cfg, Awkwardness how = {});

}  // namespace slipway::check
