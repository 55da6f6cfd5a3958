// A program of the system, asked something.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "slipway/dict.hpp"

namespace slipway::local {

/// Runs `args`, the first looked up in PATH, without input, and returns what it prints on standard
/// output (at most 1 MiB). Nothing when it is not there, fails, or has not ended after `limit`; then
/// it is killed. Leaves no process behind.
std::optional<std::string> ask_program(const StrList& args, std::chrono::milliseconds limit);

}  // namespace slipway::local
