// The fields of apps that the local schedulers act on.
#pragma once

#include <vector>

#include "plugins/local/scheduler/local_options.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// Returns the fields that a local scheduler acts on with these options. Devices are not among
/// them: submit_dryrun() reports what this machine has of them, and an image that it ignores.
std::vector<AppField> acted_on(const LocalOptions& options);

}  // namespace slipway::local
