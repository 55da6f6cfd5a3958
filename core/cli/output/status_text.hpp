// An app's status for a person.
#pragma once

#include <string>
#include <vector>

#include "core/runner/runner.hpp"

namespace slipway::cli {

/// Several lines: the app, then its roles with their replicas, of `roles` only where that is not
/// empty. Replicas that are alike share a line. What a replica left in its error file stands below
/// it.
std::string status_text(const AppStatus& status, const std::vector<std::string>& roles);

}  // namespace slipway::cli
