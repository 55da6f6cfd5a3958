// A component that is written in a file, ready to be built.
#pragma once

#include <string>
#include <string_view>

#include "core/components/component.hpp"
#include "core/spec/node.hpp"

namespace slipway::components {

/// The component `name` of `document` (see holds_components()), or the only one when `name` is empty.
///
/// Throws InvalidApp with all problems of the whole file, of whichever component; Error kNotFound
/// with the names that there are, and the nearest one, when there is no such component; kUsage when
/// `name` is empty and the file has several.
Component file_component(spec::Node document, const std::string& source, std::string_view name);

/// The same for the file at `path`; throws also what spec::read_document() throws, and InvalidApp for
/// a file without components.
Component file_component(const std::string& path, std::string_view name);

}  // namespace slipway::components
