// A plug-in as the JSON of `plugin list`, `plugin show` and `plugin doctor`.
#pragma once

#include <boost/json.hpp>

#include "core/registry/registry.hpp"

namespace slipway::cli {

/// {"id","version","abi","manifest","library","enabled","provides","state","error"}.
boost::json::object plugin_json(const registry::PluginInfo& plugin);

}  // namespace slipway::cli
