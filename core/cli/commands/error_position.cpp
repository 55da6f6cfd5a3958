#include "core/cli/commands/error_position.hpp"

#include <charconv>
#include <string>

namespace slipway::cli {

spec::Position error_position(const Error& error) {
  const std::string& where = error.where();
  const std::size_t column_at = where.rfind(':');
  const std::size_t line_at = column_at == std::string::npos || column_at == 0
                                  ? column_at
                                  : where.rfind(':', column_at - 1);
  if (line_at == std::string::npos || line_at == column_at) return {where};
  spec::Position out{where.substr(0, line_at)};
  const char* const end = where.data() + where.size();
  const auto line = std::from_chars(where.data() + line_at + 1, end, out.line);
  const auto column = std::from_chars(where.data() + column_at + 1, end, out.column);
  const bool whole = line.ec == std::errc() && line.ptr == where.data() + column_at &&
                     column.ec == std::errc() && column.ptr == end;
  return whole ? out : spec::Position{where};
}

}  // namespace slipway::cli
