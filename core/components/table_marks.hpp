// Where the parts of a component file stand.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/problem.hpp"

namespace slipway::components {

/// The places of a table and of the values in it.
struct TableMarks {
  spec::Mark table;                                        ///< its key
  std::vector<std::pair<std::string, spec::Mark>> fields;  ///< value of each key that is written

  /// The place of a field's value, or the table's when the field is not written.
  spec::Mark at(std::string_view field) const {
    for (const auto& [key, mark] : fields) {
      if (key == field) return mark;
    }
    return table;
  }
};

}  // namespace slipway::components
