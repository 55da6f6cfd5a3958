// Tables for people.
#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// Returns a line for each row, with columns aligned, where each character counts as one column
/// wide, and two blanks apart. Rows may have different numbers of cells; the last cell of a row is
/// not padded. Hidden characters, newlines and tabs of a cell become escapes, so a row is one line.
std::string text_table(std::vector<std::vector<std::string>> rows);

}  // namespace slipway::cli
