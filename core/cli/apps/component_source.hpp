// From a component and what was given for its parameters to an app.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/components/component.hpp"

namespace slipway::cli {

/// What `run` was told for a component; each is stronger than the one before it.
struct ComponentGiven {
  /// Defaults of a component from config files, as text by parameter; may be empty.
  std::function<StrDict(const std::string& component)> defaults;
  StrList words;                    ///< behind its name
  std::vector<std::string> params;  ///< NAME=VALUE, of -P
  Dict<Value> values;               ///< from JSON

  bool empty() const { return words.empty() && params.empty() && values.empty(); }
};

/// The app; nullopt when the words ask for the component's help, which is then printed. Throws
/// Error kUsage for arguments that do not fit, all of them at once, and for one that is given more
/// than once; and what Component::build() throws.
std::optional<spec::AppFile> build_component(Invocation& invocation,
                                             const components::Component& component,
                                             const ComponentGiven& given);

}  // namespace slipway::cli
