// The status of an app as text for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/runner/runner.hpp"

namespace slipway::cli {

/// Returns whether each replica of the role has a line of its own, because there are only a few.
bool has_line_each(const RoleStatus& role);

/// Returns lines about the app, and about its roles and their replicas. Shows only `roles` unless
/// that is empty. Where not each replica has a line of its own, successive replicas with the same
/// text share one. The message of a replica's error file follows the line.
std::string status_text(const AppStatus& status, const std::vector<std::string>& roles);

/// Returns the time of an error file, if it is known, and its message, shortened to the part that
/// names the cause. Each line starts with a newline and `indent` blanks.
std::string error_text(const std::string& error_json, std::size_t indent);

}  // namespace slipway::cli
