// Writes apps as JSON in the shape of TorchX's dataclasses, which `--json` prints (APPDEF in
// core/docs/cli.md).
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::spec {

/// Returns an object with every field. `min_replicas` is null when absent; `base_image` and
/// `deployment_preference` are present only when they are set. Throws Error(kInvalid) if metadata,
/// capabilities or tags are not JSON objects.
boost::json::object to_json(const AppDef& app);
boost::json::object to_json(const Resource& resource);

/// Returns the object in `text`; an empty text is an empty object. Throws Error(kInvalid) for any
/// other text; `what` names the text in the message.
boost::json::object parse_object(std::string_view text, const std::string& what);

}  // namespace slipway::spec
