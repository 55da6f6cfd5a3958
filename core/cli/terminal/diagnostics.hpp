// What is said to a person on standard error.
#pragma once

#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::cli {

/// Messages below this level are dropped. The default shows warnings.
void set_log_level(LogLevel level);

/// Prints `slipway: warning: TEXT` on standard error, if the level is shown, with hidden characters
/// as escapes (slipway/visible_text.hpp): messages quote files, plug-ins and replicas. [any thread]
void say(LogLevel level, std::string_view text);

/// The error with its place and its hint; at level error.
void say(const Error& error);

/// The level of this name ("debug", "WARNING"); throws Error kUsage for any other text.
LogLevel parse_log_level(const std::string& name);

}  // namespace slipway::cli
