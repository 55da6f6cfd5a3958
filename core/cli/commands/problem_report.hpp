// Problems of files and plug-ins, in the form in which commands that check them report them.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Problems in both output formats, and their number.
struct ProblemReport {
  explicit ProblemReport(const std::vector<spec::Problem>& problems);

  /// Returns `errors: 1, warnings: 2`.
  std::string counts() const;

  boost::json::array rows;   ///< as problem_json()
  std::string lines;         ///< one line for each problem
  std::size_t errors = 0;    ///< number of problems that are errors
  std::size_t warnings = 0;  ///< number of problems that are warnings
};

/// Returns a problem of `key` at `where` that has the text and the code of `error`.
spec::Problem problem_of_error(const Error& error, spec::Position where, std::string key);

/// Returns the position that the text of error.where() names: `file:line:column`, or a file alone.
spec::Position error_position(const Error& error);

}  // namespace slipway::cli
