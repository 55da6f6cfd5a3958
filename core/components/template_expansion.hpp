// A component's app template and arguments become an app file's tree.
#pragma once

#include <vector>

#include "core/spec/node.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// The template with every expression replaced by its value; nodes keep their places.
///
/// A string that is one expression without filters becomes the value: a list is laid into the list
/// that it stands in, a dict becomes a table, and where the app file wants a number, a bool or free
/// JSON, so does the value; a parameter without a value takes its key or its list item away with it.
/// Elsewhere a value becomes text.
///
/// `app` must have passed check_template() with the same `params`; `args` is what parse_arguments()
/// made. Throws Error kInvalid when the result has more than 64 MiB of text.
spec::Node expand_template(const spec::Node& app, const std::vector<ComponentParam>& params,
                           const Cfg& args);

}  // namespace slipway::components
