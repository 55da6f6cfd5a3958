// Copies a resource with changes, like TorchX's `Resource.copy`. `inherits` in a manifest uses it.
#pragma once

#include <boost/json.hpp>

#include "slipway/app.hpp"

namespace slipway::spec {

/// Returns a copy with the same cpu, gpu, memory and devices. Entries of `capabilities` replace
/// those of the same name in place; new ones follow. Drops the tags, which belong to the original.
/// Throws Error(kInvalid) if `capabilities` is not empty and those of the original are not a JSON
/// object.
Resource copy_resource(const Resource& original, const boost::json::object& capabilities);

}  // namespace slipway::spec
