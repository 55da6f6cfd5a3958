// What `lint` prints.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "core/spec/problem.hpp"

namespace slipway::cli {

/// `file:line:column: severity: key: message, hint [rule]`, one line.
std::string lint_line(const spec::Problem& problem);
/// `{"file","line","column","severity","rule","key","message","hint"}`.
boost::json::object lint_json(const spec::Problem& problem);

/// The rules as a table, and as `[{"name","severity","what"}]`.
std::string rules_text();
boost::json::array rules_json();

}  // namespace slipway::cli
