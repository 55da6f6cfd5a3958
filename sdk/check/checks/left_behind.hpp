// Cleans up after a check that ended before its app did.
#pragma once

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

/// Cancels the app that the progress page names, and waits for its end. Throws Broken on failure,
/// and Inconclusive as require_ok() does.
void cancel_left_behind(const Trial& trial);

}  // namespace slipway::check
