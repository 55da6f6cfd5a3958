// Compares the replicas that a scheduler reports with the app that was submitted.
#pragma once

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// Throws Broken unless `seen` has every replica of `submitted` once, in the app's order, and in a
/// state that agrees with the app's.
void verify_roles(const SeenApp& seen, const AppDef& submitted);

}  // namespace slipway::check
