// What several commands look up in the same way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

/// The app's status; throws Error kNotFound when it does not exist.
AppStatus existing_app(Invocation& invocation, const AppHandle& handle,
                       StatusDetail detail = StatusDetail::kReplicas);

/// existing_app() with StatusDetail::kApp, for a command that ends or deletes the app whatever
/// state it is in. nullopt when the app's record is damaged.
std::optional<AppStatus> app_to_remove(Invocation& invocation, const AppHandle& handle);

/// A status of StatusDetail::kApp with what is told of an end: its replicas when --json shows them,
/// or when they say why it failed.
AppStatus as_told(Invocation& invocation, AppStatus status);

/// `a,b,c`, empty items left out.
std::vector<std::string> comma_list(const std::string& text);

/// The state of this name, in any case; throws Error kUsage for any other text.
AppState parse_state(const std::string& option, const std::string& name);

}  // namespace slipway::cli
