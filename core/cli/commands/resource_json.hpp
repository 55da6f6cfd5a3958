// A named resource as the JSON of `resource list` and `resource show`.
#pragma once

#include <boost/json.hpp>

#include "core/resources/resource_entry.hpp"

namespace slipway::cli {

/// Returns an object with the keys cpu, gpu, memMB, capabilities, devices, tags, source, origin,
/// inherits, shadows, deprecated, schedulers and error. The first six are null for a resource that
/// cannot be used, and `error` says why.
boost::json::object resource_json(const resources::ResourceEntry& entry);

}  // namespace slipway::cli
