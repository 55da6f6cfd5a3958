// What can be said of a component's app template before there are arguments.
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
  spec::Mark at;    ///< of the string that it stands in
  std::string key;  ///< dotted path of that string from the root of the file
};

/// In a table, the key whose value is a dict that is laid into the table.
inline constexpr std::string_view kSpread = "...";

/// Adds to `reader` what is wrong with the expressions of `app`, the template below `path`: syntax,
/// unknown parameters and filters (with near names), a list or dict inside a text, `{{` in a key, a
/// `...` that is no dict. Appends every use of a known parameter to `uses`, in the order of the text.
void check_template(const spec::Node& app, const spec::KeyPath& path,
                    const std::vector<ComponentParam>& params, spec::FieldReader& reader,
                    std::vector<ParamUse>& uses);

/// The parameter of that name, or nullptr.
const ComponentParam* find_param(const std::vector<ComponentParam>& params, std::string_view name);

}  // namespace slipway::components
