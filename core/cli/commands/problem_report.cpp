#include "core/cli/commands/problem_report.hpp"

#include <fmt/core.h>

#include <utility>

#include "core/cli/output/json_output.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

ProblemReport::ProblemReport(const std::vector<spec::Problem>& problems) {
  for (const spec::Problem& problem : problems) {
    ++(problem.severity == spec::Severity::kError ? errors : warnings);
    rows.push_back(problem_json(problem));
    lines += spec::to_string(problem) + "\n";
  }
}

std::string ProblemReport::counts() const {
  return fmt::format("errors: {}, warnings: {}", errors, warnings);
}

spec::Problem problem_of_error(const Error& error, spec::Position where, std::string key) {
  return {spec::Severity::kError, std::move(where), std::move(key),
          error.message(),        error.hint(),     error.code()};
}

spec::Position error_position(const Error& error) {
  const std::string& where = error.where();
  const std::size_t column_at = where.rfind(':');
  const std::size_t line_at = column_at == std::string::npos || column_at == 0
                                  ? column_at
                                  : where.rfind(':', column_at - 1);
  if (line_at == std::string::npos || line_at == column_at) return {where};
  const std::string_view text = where;
  const auto line = plain_number<std::uint32_t>(text.substr(line_at + 1, column_at - line_at - 1));
  const auto column = plain_number<std::uint32_t>(text.substr(column_at + 1));
  return line && column ? spec::Position{where.substr(0, line_at), *line, *column}
                        : spec::Position{where};
}

}  // namespace slipway::cli
