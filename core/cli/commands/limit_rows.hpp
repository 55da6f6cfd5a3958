// The site's limits as `config show` and `config explain` print them.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "core/config/setting.hpp"

namespace slipway::cli {

/// Returns the limit in words: `at most 60`, or `max: at most 60` for an entry of a table.
std::string limit_text(const config::Limit& limit);

/// Returns {"key","entry","kind","value","where","file","line","column"}. `entry` is the key of the
/// table that the limit bounds, or null; `kind` is "allowed", "minimum" or "maximum".
boost::json::object limit_json(const config::Limit& limit);

}  // namespace slipway::cli
