// Signals by the names that people give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// "SIGUSR1", "SIGRTMIN+3"; "signal 32" for a number without a name.
std::string signal_name(int signal);

/// The number of a signal that is written as "USR1", "SIGUSR1", "RTMIN+3", "RTMAX-3", all in any case,
/// or "10"; nothing for other texts.
std::optional<int> signal_number(std::string_view text);

/// Every name that signal_number() reads, without SIG in front; of the realtime signals RTMIN and RTMAX
/// alone.
std::vector<std::string> signal_names();

}  // namespace slipway
