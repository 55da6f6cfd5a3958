// Messages for people, on standard error.
#pragma once

#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::cli {

/// Drops messages below this level from now on. Before the first call, the level is kWarning.
void set_log_level(LogLevel level);

/// Prints `slipway: warning: TEXT` on standard error unless messages of this level are dropped.
/// Hidden characters become escapes (slipway/visible_text.hpp), because messages quote files,
/// plug-ins and replicas. [any thread]
void say(LogLevel level, std::string_view text);

/// Suppresses each message that equals one printed since the object was constructed. Only one
/// object may exist at a time.
class SameMessagesOnce {
 public:
  SameMessagesOnce();
  ~SameMessagesOnce();
  SameMessagesOnce(const SameMessagesOnce&) = delete;
  SameMessagesOnce& operator=(const SameMessagesOnce&) = delete;
};

/// Prints the error with its hint, at level kError, and with its place unless the message begins
/// with it.
void say(const Error& error);

/// Returns the text of a plug-in without newlines at its end, and with two spaces before all lines
/// but the first, so that none of them looks like a message of its own.
std::string with_indented_lines(std::string_view text);

/// Returns the level of this name ("debug", "warn", "WARNING"). Throws Error kUsage for any other
/// text.
LogLevel parse_log_level(const std::string& name);

}  // namespace slipway::cli
