// Columns for people.
#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// Rows of equally many cells as lines with aligned columns, two blanks apart; the last column is not padded.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace slipway::cli
