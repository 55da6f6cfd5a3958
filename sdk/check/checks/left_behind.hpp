// Tidying up after a check that ended before its app did.
#pragma once

#include "sdk/check/check.hpp"

namespace slipway::check {

/// Cancels, at once, the app that the board names, and waits for its end. Throws Broken when that is impossible.
void cancel_left_behind(const Trial& trial);

}  // namespace slipway::check
