// What people write for an app: a handle, an app id, the start of one, or `@last`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/invocation.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// The app that `text` means. A handle is taken at its word; anything else is looked up among the apps of all schedulers.
/// Throws Error kUsage for a malformed handle and for a start that fits several apps, kNotFound when nothing fits.
AppHandle find_app(Invocation& invocation, const std::string& text);

/// `HANDLE[/ROLE[/K[,K2…]]]`.
struct LogSelection {
  AppHandle app;
  std::optional<std::string> role;
  std::vector<std::int32_t> replicas;  ///< none: all
};
LogSelection find_log(Invocation& invocation, const std::string& text);

}  // namespace slipway::cli
