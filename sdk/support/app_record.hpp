// Converts an app to the JSON text that a scheduler stores with it, in the shape of TorchX's
// dataclasses, and back.
#pragma once

#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::records {

/// Returns the app as JSON. Metadata, capabilities and tags must be JSON objects; any other text
/// becomes an empty object. Does not throw.
std::string app_to_json(const AppDef& app);

/// Returns the app. Accepts what earlier and later versions write: an absent field has its default,
/// an unknown key is ignored, and an unknown retry policy or kind of mounts becomes -1. Throws
/// Error(kInvalid) for a text that is not JSON, a value of a wrong type, and an app without a name.
AppDef app_from_json(std::string_view text);

}  // namespace slipway::records
