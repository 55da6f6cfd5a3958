// Compares the replicas that a scheduler reports with the app that was submitted.
#pragma once

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// Throws Broken unless `app` has every replica of `submitted` once and in the same order, and no
/// other. If `app` SUCCEEDED, every replica must also have SUCCEEDED, with the exit code 0 or none.
void verify_roles(const SeenApp& app, const AppDef& submitted);

}  // namespace slipway::check
