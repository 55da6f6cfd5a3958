// Tables for people.
#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// Returns a line for each row, with its cells aligned and two blanks apart. Each character counts
/// as one column of the terminal. Rows may have different numbers of cells; the last cell of a row
/// is not padded. Hidden characters, newlines and tabs of a cell become escapes, so a row is one
/// line.
std::string text_table(std::vector<std::vector<std::string>> rows);

}  // namespace slipway::cli
