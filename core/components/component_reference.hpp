// Parses the name of a component as a user types it: `utils.echo` or `train.toml:ddp`.
#pragma once

#include <string>
#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::components {

struct ComponentReference {
  std::string file;  ///< empty for a component of a plug-in
  std::string name;  ///< empty for the only component of the file
};

/// Splits `text` into file and name. It names a file if it ends in a dot and one of `extensions`,
/// or contains that before its last `:`; the component's name follows this colon.
ComponentReference parse_reference(std::string_view text,
                                   const StrList& extensions = {"toml", "json"});

}  // namespace slipway::components
