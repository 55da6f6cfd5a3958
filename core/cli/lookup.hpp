// What several commands look up in the same way.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation.hpp"

namespace slipway::cli {

/// The app's status; throws Error kNotFound when it does not exist.
AppStatus existing_app(Invocation& invocation, const AppHandle& handle);

/// `a,b,c`, empty items left out.
std::vector<std::string> comma_list(const std::string& text);

/// The state of this name, in any case; throws Error kUsage for any other text.
AppState parse_state(const std::string& option, const std::string& name);

}  // namespace slipway::cli
