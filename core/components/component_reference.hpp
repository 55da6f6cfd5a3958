// Parses the name of a component as a user types it: `utils.echo` or `train.toml:ddp`.
#pragma once

#include <string>
#include <string_view>

namespace slipway::components {

struct ComponentReference {
  std::string file;  ///< empty for a component of a plug-in
  std::string name;  ///< empty for the only component of the file
};

/// Splits `text` into file and name. It names a file if it ends in `.toml` or `.json`, or contains
/// one of them before a `:`; the component's name follows the last such colon.
ComponentReference parse_reference(std::string_view text);

}  // namespace slipway::components
