// Returns the lines that match a pattern.

#include "core/logs/line_filter.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_filter_regex(VectorCase& one, Bench&) {
  logs::LineFilter filter(text_member(one.input, "regex"));
  json::array out;
  for (const std::string& line : texts(member(one.input, "lines"))) {
    if (filter.matches(line)) out.emplace_back(line);
  }
  return out;
}

}  // namespace slipway::vectors
