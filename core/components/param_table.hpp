// Reads `[component.NAME.params]`, the parameters of a component in a file.
#pragma once

#include <vector>

#include "core/components/table_marks.hpp"
#include "core/spec/fields.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// Reads the parameters in the order of the text; `marks` becomes parallel to `out`. Adds the
/// problems of single parameters and of their combination to `reader`: see read_component_file().
void read_params(spec::Node& table, const spec::KeyPath& path, spec::FieldReader& reader,
                 std::vector<ComponentParam>& out, std::vector<TableMarks>& marks);

}  // namespace slipway::components
