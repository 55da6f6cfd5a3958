// An app's status for a person.
#pragma once

#include <string>
#include <vector>

#include "core/runner/runner.hpp"

namespace slipway::cli {

/// Several lines: the app, then its roles with their replicas, of `roles` only where that is not empty. Replicas that
/// are alike share a line.
std::string status_text(const AppStatus& status, const std::vector<std::string>& roles);

/// Why the app failed, in one line: `trainer/2 exited with 3`; empty when there is nothing to say.
std::string failure_text(const Description& app);

}  // namespace slipway::cli
