// Expands a component's app template with arguments into the tree of an app file.
#pragma once

#include <vector>

#include "core/spec/node.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// Returns the template with every expression replaced by its value. Nodes keep their positions in
/// the component file.
///
/// A string that is a single expression without filters becomes the value itself:
/// - a list becomes a list; if it is an item of a list, its items take its place there;
/// - a dict becomes a table;
/// - a number or bool keeps its type where the app file has a number, a bool or free JSON;
/// - a parameter without a value removes its key or list item.
///
/// Everywhere else a value becomes text.
///
/// `app` must have passed check_template() with the same `params`; `args` must come from
/// parse_arguments(). Throws Error(kInvalid) if the result has more than 64 MiB of text.
spec::Node expand_template(const spec::Node& app, const std::vector<ComponentParam>& params,
                           const Cfg& args);

}  // namespace slipway::components
