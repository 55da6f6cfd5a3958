#include "core/cli/output/text_table.hpp"

#include <algorithm>

#include "sdk/support/utf8.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

/// Returns the number of code points, which approximates the number of columns.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

}  // namespace

std::string text_table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = visible_line(row[i]);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size()) out.append(widths[i] - width(row[i]) + 2, ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace slipway::cli
