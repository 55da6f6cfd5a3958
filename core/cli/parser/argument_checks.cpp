#include "core/cli/parser/argument_checks.hpp"

#include <CLI/CLI.hpp>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

// CLI11's own range check explains itself in six decimals.
std::string check_seconds(const std::string& text) {
  double seconds = 0;
  const bool number = CLI::detail::lexical_cast(text, seconds);
  return number && seconds >= 0 && seconds <= 1e9
             ? std::string()
             : spec::quoted(text) + " is not a number of seconds";
}

std::string check_count(const std::string& text) {
  const bool number = !text.empty() && text.size() < 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::string() : spec::quoted(text) + " is not a count";
}

std::string check_log_level(const std::string& text) {
  try {
    parse_log_level(text);
    return {};
  } catch (const Error& error) {
    return spec::quoted(text) + " is no level, " + error.hint();
  }
}

}  // namespace slipway::cli
