// The status of an app as text for people.
#pragma once

#include <string>
#include <vector>

#include "core/runner/runner.hpp"

namespace slipway::cli {

/// Returns lines about the app, and about its roles and their replicas. Shows only `roles` unless
/// that is empty. Replicas with equal states share a line, and the content of a replica's error
/// file follows the replica.
std::string status_text(const AppStatus& status, const std::vector<std::string>& roles);

}  // namespace slipway::cli
