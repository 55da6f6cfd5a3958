// Apps as JSON in the shape of TorchX's dataclasses (APPDEF in the command line's contract): what
// `--json` prints and state files keep.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "core/spec/node.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Every field, in the order of TorchX's `asdict`; `min_replicas` is null when absent, `base_image`
/// stands there only when it is set. Throw Error(kInvalid) when metadata, capabilities or tags are
/// not JSON objects.
boost::json::object to_json(const AppDef& app);
boost::json::object to_json(const Role& role);
boost::json::object to_json(const Resource& resource);
boost::json::object to_json(const Mount& mount);
boost::json::object to_json(const StrDict& dict);
boost::json::object to_json(const IntDict& dict);

/// A document's value as a Boost value.
boost::json::value to_json(const Node& node);

/// The object that `text` holds; an empty text is an empty object. `what` names it in the
/// Error(kInvalid) that is thrown for any other text.
boost::json::object parse_object(std::string_view text, const std::string& what);

/// The app of a JSON text in this shape, as read_app_json() reads it. Throws InvalidApp.
AppDef app_from_json(std::string_view text, const std::string& source_name);
AppDef app_from_json(const boost::json::object& app, const std::string& source_name);
/// One role alone; the same rules.
Role role_from_json(const boost::json::object& role, const std::string& source_name);
/// One resource alone.
Resource resource_from_json(const boost::json::object& resource, const std::string& source_name);

}  // namespace slipway::spec
