// What a person types for a component: `utils.echo`, or `train.toml:ddp`.
#pragma once

#include <string>
#include <string_view>

namespace slipway::components {

struct ComponentReference {
  std::string file;  ///< empty: a plug-in's component
  std::string name;  ///< empty: the only one of the file
};

/// A text that ends in `.toml` or `.json`, or has that before a `:`, names a file; the name of the
/// component follows the last such colon.
ComponentReference parse_reference(std::string_view text);

}  // namespace slipway::components
