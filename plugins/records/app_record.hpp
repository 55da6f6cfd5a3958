// An app as the JSON text that is kept with it, in the shape of TorchX's dataclasses, and back.
#pragma once

#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::records {

/// Never fails: metadata, capabilities and tags are JSON texts already.
std::string app_to_json(const AppDef& app);

/// Throws Error kInvalid for anything that app_to_json did not write.
AppDef app_from_json(std::string_view text);

}  // namespace slipway::records
