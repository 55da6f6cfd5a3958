// Columns for people.
#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// Returns rows of equally many cells as lines with aligned columns, two blanks apart; the last
/// column is not padded. A cell is one line: hidden characters, newlines and tabs become escapes.
std::string text_table(std::vector<std::vector<std::string>> rows);

}  // namespace slipway::cli
