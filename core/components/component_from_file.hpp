// Selects a component of a file and makes it ready to build.
#pragma once

#include <string>
#include <string_view>

#include "core/components/component.hpp"
#include "core/spec/node.hpp"
#include "slipway/dict.hpp"

namespace slipway::components {

/// Returns the component `name` of `document` (see holds_components()), or its only component if
/// `name` is empty.
///
/// Throws InvalidApp with all problems of the file if one is an error; with a name, only the
/// problems that may_concern() this component (component_file.hpp) count. Throws
/// Error(kNotFound) with the nearest name or all names if the file has no such component, and
/// Error(kUsage) if `name` is empty and the file has several.
Component component_from_file(spec::Node document, const std::string& source,
                              std::string_view name);

/// Does the same for the file at `path`. Also throws what spec::read_document() throws, and
/// InvalidApp for a file without components.
Component component_from_file(const std::string& path, std::string_view name);

/// Throws Error because `name` selects none of `names`, the components of `file`: kNotFound with
/// the nearest name or all names, or kUsage if `name` is empty. `names` is not empty.
[[noreturn]] void refuse_selection(const std::string& file, std::string_view name,
                                   const StrList& names);

}  // namespace slipway::components
