// Converts signals to and from their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// Returns "SIGUSR1", "SIGRTMIN+3", or "signal 32" for a number without a name.
std::string signal_name(int signal);

/// Returns the number of a signal in the form "USR1", "SIGUSR1", "RTMIN+3", "RTMAX-3" (in any case)
/// or "10"; nullopt for any other text.
std::optional<int> signal_number(std::string_view text);

/// Returns every name that signal_number() reads, without the prefix SIG; of the realtime signals
/// only RTMIN and RTMAX.
std::vector<std::string> signal_names();

}  // namespace slipway
