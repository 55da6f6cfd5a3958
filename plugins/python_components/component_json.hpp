// Converts components and their arguments between the SDK's types and the JSON of the bridge.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::python {

/// A component of a Python file.
struct PythonComponent {
  ComponentInfo info;
  /// The function returns an AppDef, is at the top level of the module, and has no underscore at
  /// the start of its name.
  bool is_public = false;
  std::vector<ComponentProblem> problems;
};

/// Reads the key `components` of an answer. Throws std::exception if it has another shape.
std::vector<PythonComponent> read_components(const boost::json::object& answer);

/// Reads a list of problems. Throws std::exception if it has another shape.
std::vector<ComponentProblem> read_problems(const boost::json::value& problems);

/// Returns the arguments by name; a value that is not given is null.
boost::json::object arguments_json(const Cfg& args);

}  // namespace slipway::python
