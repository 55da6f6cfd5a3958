// Commands as a person would type them.
#pragma once

#include <string>
#include <vector>

namespace slipway::local {

/// A word as a shell would need it.
std::string shell_word(const std::string& text);

/// A command and its arguments, each as a shell would need it.
std::string command_line(const std::vector<std::string>& args);

}  // namespace slipway::local
