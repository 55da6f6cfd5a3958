// Converts apps to and from JSON in the shape of TorchX's dataclasses (APPDEF in the command line's
// contract). `--json` prints this form and state files store it.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "core/spec/node.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Returns every field in the order of TorchX's `asdict`. `min_replicas` is null when absent;
/// `base_image` is present only when it is set. Throws Error(kInvalid) if metadata, capabilities or
/// tags are not JSON objects.
boost::json::object to_json(const AppDef& app);
boost::json::object to_json(const Role& role);
boost::json::object to_json(const Resource& resource);
boost::json::object to_json(const Mount& mount);
boost::json::object to_json(const StrDict& dict);
boost::json::object to_json(const IntDict& dict);

/// Returns a document's value as a Boost value.
boost::json::value to_json(const Node& node);

/// Returns the object in `text`; an empty text is an empty object. Throws Error(kInvalid) for any
/// other text; `what` names the text in the message.
boost::json::object parse_object(std::string_view text, const std::string& what);

/// Returns the app of a JSON text in this shape, by the rules of read_app_json(). Throws
/// InvalidApp.
AppDef app_from_json(std::string_view text, const std::string& source_name);
AppDef app_from_json(const boost::json::object& app, const std::string& source_name);
/// Returns a single role, by the same rules.
Role role_from_json(const boost::json::object& role, const std::string& source_name);

}  // namespace slipway::spec
