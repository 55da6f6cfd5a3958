// The list of pruned apps, `<session>/.pruned`: why the record of an app is gone. At 1 MiB a new
// list starts, and the one before becomes `.pruned.old`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// Records that the app was deleted now by `rule`, such as "keep_days=30". Does nothing if the list
/// cannot be written: the app is gone all the same.
void note_pruned(const std::string& state_root, const AppSummary& app, std::string_view rule);

/// Returns the sentence that says when and by which rule the app was deleted, or nullopt if the
/// list does not have the app.
std::optional<std::string> why_pruned(const AppRef& app);

}  // namespace slipway::local
