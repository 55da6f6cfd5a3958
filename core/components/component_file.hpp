// Reads components from a file: `[component.NAME]` with parameters and an app template.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/components/sweep_values.hpp"
#include "core/components/template_check.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/table_marks.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

struct FileComponent {
  ComponentInfo info;      ///< `info.name` is the NAME of the table [component.NAME]
  spec::TableMarks marks;  ///< places of the component's keys
  std::vector<spec::TableMarks> param_marks;  ///< places of the keys of each of info.params
  std::vector<SweptParam> sweep;              ///< parameters that `--sweep` varies
  spec::Node app;                             ///< the checked template
  std::vector<ParamUse> uses;  ///< uses of parameters in the template, in the order of the text
};

struct ComponentFile {
  std::string source;  ///< the file's path as given, or another name for messages
  std::vector<FileComponent> components;

  /// Returns the component of that name, or nullptr.
  const FileComponent* find(std::string_view name) const;
};

/// Returns whether a document is a component file rather than an app file: it has the key
/// `component`.
bool holds_components(const spec::Node& document);

/// Returns whether a problem of a component file about this key lies in the component `name` or
/// outside of all components.
bool may_concern(std::string_view name, const std::string& key);

/// Reads all components of a document (TOML or JSON). Adds to `problems`: unknown keys (with near
/// names), wrong types, names with characters that are not allowed, an empty table `component`, a
/// missing or empty app, wrong values of a sweep, and the findings of check_template(). Of
/// parameters: one called `help`, a default of another type than the parameter or of a required
/// one, two with one short name, two variadic ones, and a variadic one that is not a list or has a
/// short name. A parameter without `default` is required unless it is variadic or `required` is
/// false.
///
/// A component with problems is in the result as far as it could be read.
ComponentFile read_component_file(spec::Node document, const std::string& source,
                                  spec::ProblemList& problems);

}  // namespace slipway::components
