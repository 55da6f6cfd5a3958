// Checks the programs and scripts that came with Slipway, for `plugin doctor`.
#pragma once

#include <vector>

#include "core/registry/place_findings.hpp"
#include "core/registry/registry.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

/// Returns an error for each program or script of a usable plug-in that is missing, unusable, or
/// replaceable by another user; the plug-in refuses such a file. Returns a warning if another user
/// could replace `slipway` itself. Adds to `findings` the directories above these files that others
/// may write to and, for root, what other users cannot use.
std::vector<spec::Problem> check_installed_parts(registry::Registry& registry,
                                                 registry::PlaceFindings& findings);

}  // namespace slipway::cli
