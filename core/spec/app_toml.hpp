// Writes an app as an app file: what `slipway describe` prints.
#pragma once

#include <string>

#include "slipway/app.hpp"

namespace slipway::spec {

/// A TOML text that read_app_file() reads back to an equal app, for people: fields at their default
/// are left out, long lists have an item a line. JSON that TOML cannot hold (null) is written as a
/// string of JSON.
///
/// Throws Error(kInvalid) when metadata, capabilities or tags are not JSON objects, or a string is
/// not UTF-8.
std::string to_toml(const AppDef& app);

}  // namespace slipway::spec
