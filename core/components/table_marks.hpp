// The places of tables and values in a component file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/problem.hpp"

namespace slipway::components {

/// The places of a table and of the values in it.
struct TableMarks {
  spec::Mark table;                                        ///< place of the table's key
  std::vector<std::pair<std::string, spec::Mark>> fields;  ///< place of each value, by key

  /// Returns the place of a field's value, or the table's place if the table does not set it.
  spec::Mark at(std::string_view field) const {
    for (const auto& [key, mark] : fields) {
      if (key == field) return mark;
    }
    return table;
  }
};

}  // namespace slipway::components
