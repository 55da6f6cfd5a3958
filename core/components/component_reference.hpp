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

/// Splits `text` into file and name. `text` names a file if it, or its part before the last `:`,
/// ends in a dot and one of `extensions`. The component's name follows that colon.
ComponentReference parse_reference(std::string_view text,
                                   const StrList& extensions = {"toml", "json"});

}  // namespace slipway::components
