// A variant of a resource, as TorchX's `Resource.copy`: what `inherits` in a manifest means.
#pragma once

#include <boost/json.hpp>

#include "slipway/app.hpp"

namespace slipway::spec {

/// The same cpu, gpu, memory and devices; `capabilities` replace those of the same name, keeping
/// their place, and the rest follows. Tags belong to the original and are dropped. Throws
/// Error(kInvalid) when the original's capabilities are not a JSON object.
Resource copy_resource(const Resource& original, const boost::json::object& capabilities);

}  // namespace slipway::spec
