// The labels of a sweep's apps, and the apps that have them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "core/cli/invocation/invocation.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// The labels of an app of a sweep, beside those of its parameters: the id of the sweep, and the
/// app's number in the grid, from 0.
inline constexpr const char* kSweepLabel = "sweep";
inline constexpr const char* kSweepIndexLabel = "sweep-index";

/// Returns the apps of the sweep `id` on the scheduler by their numbers in the grid, also those
/// that have ended. `names` are the names that they may have.
///
/// A process that was killed while it submitted an app has left no run record. So the scheduler is
/// asked for the definition of each app with one of `names` whose labels are not recorded. Throws
/// the scheduler's error if it cannot list its apps, and kTemporary if it does not answer.
std::map<std::size_t, AppHandle> apps_of_sweep(Invocation& invocation, const std::string& id,
                                               const std::string& scheduler,
                                               const std::set<std::string>& names);

}  // namespace slipway::cli
