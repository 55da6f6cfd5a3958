// Converts an app to the JSON text that a scheduler stores with it, in the shape of TorchX's
// dataclasses, and back.
#pragma once

#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::records {

/// Returns the app as JSON. Does not throw, because metadata, capabilities and tags are valid JSON
/// texts.
std::string app_to_json(const AppDef& app);

/// Returns the app. Throws Error(kInvalid) for any text that app_to_json() did not write.
AppDef app_from_json(std::string_view text);

}  // namespace slipway::records
