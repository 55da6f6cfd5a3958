#include "core/logs/line_filter.hpp"

#include <string.h>

#include "core/logs/log_line.hpp"
#include "slipway/error.hpp"

namespace slipway::logs {

LineFilter::LineFilter(const std::string& pattern) try
    : pattern_(pattern, LinePattern::Effort::kThorough), required_(required_text(pattern)) {
} catch (const Error& error) {
  throw Error(Code::kUsage, "--regex: " + error.message(), error.hint());
}

bool LineFilter::take_match(std::string_view& rest, std::string_view& line) {
  while (!rest.empty()) {
    if (!required_.empty()) {
      const std::size_t at = required_.find(rest);
      if (at == std::string_view::npos) break;
      const auto* const newline = static_cast<const char*>(::memrchr(rest.data(), '\n', at));
      if (newline != nullptr)
        rest.remove_prefix(static_cast<std::size_t>(newline - rest.data()) + 1);
    }
    if (take_line(rest, line) && matches(line)) return true;
  }
  rest = {};
  return false;
}

bool LineFilter::matches(std::string_view line) {
  const LinePattern::Result result = pattern_.search(line);
  if (result == LinePattern::Result::kTooExpensive) {
    throw Error(Code::kInvalid,
                "--regex: the pattern is too expensive for a line of " +
                    std::to_string(line.size()) + " bytes",
                "avoid nested repetitions such as (a+)+");
  }
  return result == LinePattern::Result::kYes;
}

}  // namespace slipway::logs
