// Checks a component's app template before any arguments are known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// A `{{param}}` in a template.
struct ParamUse {
  std::string param;
  spec::Mark at;    ///< place of the string that contains it
  std::string key;  ///< dotted path of that string from the root of the file
};

/// The key for inserting a dict into a table: `"..." = "{{dict}}"` adds the dict's entries.
inline constexpr std::string_view kSpread = "...";

/// Adds to `reader` the problems in the expressions of `app`, the template below `path`: wrong
/// syntax, unknown parameters and filters (with near names), a list or dict inside a text, `{{` in
/// a key, and a `...` that is not one parameter of type dict. Appends every use of a known
/// parameter to `uses`, in the order of the text.
void check_template(const spec::Node& app, const spec::KeyPath& path,
                    const std::vector<ComponentParam>& params, spec::FieldReader& reader,
                    std::vector<ParamUse>& uses);

/// Returns the parameter of that name, or nullptr.
const ComponentParam* find_param(const std::vector<ComponentParam>& params, std::string_view name);

}  // namespace slipway::components
