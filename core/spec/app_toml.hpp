// Writes an app as an app file, for `slipway describe`.
#pragma once

#include <string>

#include "slipway/app.hpp"

namespace slipway::spec {

/// Returns a TOML text for people, which read_app_document() reads as an equal app. Omits fields
/// that have their default and writes long lists one item per line. Writes JSON that TOML cannot
/// hold, such as null, or that is nested too deeply for parse_toml() as a string of JSON. Writes
/// keys and run options that Slipway keeps in the metadata as keys of the role and as tables
/// [options.SCHEDULER], unless TOML cannot hold them.
///
/// Throws Error(kInvalid) if metadata, capabilities or tags are not JSON objects, or if a string is
/// not UTF-8.
std::string to_toml(const AppDef& app);

}  // namespace slipway::spec
