// What people write for an app: a handle, an app id, the start of one, or `@last`.
#pragma once

#include <string>

#include "core/cli/apps/log_identifier.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// The app that `text` means. A handle is taken at its word, and without a session it is of this
/// call's (`--session`); anything else is looked up among the apps of all schedulers. Throws Error
/// kUsage for a malformed handle and for a start that fits several apps, kNotFound when nothing
/// fits.
AppHandle find_app(Invocation& invocation, const std::string& text);

/// `APP[/ROLE[/K[,K2…]]]`, the app as find_app() takes it. Throws Error kUsage for other forms, and
/// as find_app() does.
LogSelection find_log(Invocation& invocation, const std::string& text);

}  // namespace slipway::cli
