// Components written down in a file: `[component.NAME]` with its parameters and an app template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/components/table_marks.hpp"
#include "core/components/template_check.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

struct FileComponent {
  ComponentInfo info;  ///< its name is that of the table
  TableMarks marks;
  std::vector<TableMarks> params;  ///< parallel to info.params
  spec::Node app;                  ///< the template; checked
  std::vector<ParamUse> uses;      ///< of parameters in the template, in the order of the text
};

struct ComponentFile {
  std::string source;  ///< the file's path as given, or another name for messages
  std::vector<FileComponent> components;

  /// The component of that name, or nullptr.
  const FileComponent* find(std::string_view name) const;
};

/// Whether a document is meant as a component file and not as an app: it has the key `component`.
bool holds_components(const spec::Node& document);

/// Reads all components of a document (TOML or JSON), and adds what is wrong to `problems`: unknown
/// keys (with near names), wrong types, defaults that are not of their parameter's type, names that
/// cannot be typed, parameters that exclude each other, and what check_template() finds. A parameter
/// without `default` is required unless it says `required = false` or is variadic.
///
/// A component with problems is in the result as far as it could be read.
ComponentFile read_component_file(spec::Node document, const std::string& source,
                                  spec::ProblemList& problems);

}  // namespace slipway::components
