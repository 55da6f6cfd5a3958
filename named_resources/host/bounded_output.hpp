// The output of a program that may hang.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slipway::host_resources {

/// Runs `program` (absolute) with /dev/null as its input and no error output, and returns what it wrote, at most 1 MiB.
/// nullopt: it could not be started, ended with another status than 0, or was not done after `timeout_ms`; then it is
/// killed with its process group. One that even SIGKILL does not end, stuck in a driver, is left behind.
std::optional<std::string> bounded_output(const std::string& program,
                                          const std::vector<std::string>& arguments,
                                          int timeout_ms);

}  // namespace slipway::host_resources
