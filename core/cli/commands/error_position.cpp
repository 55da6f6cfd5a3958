#include "core/cli/commands/error_position.hpp"

#include <string>

#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

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
