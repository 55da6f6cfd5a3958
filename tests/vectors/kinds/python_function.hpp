// Reads a component that a vector gives as Python source, as far as the component's help needs it.
#pragma once

#include <string>

#include "slipway/components.hpp"

namespace slipway::vectors {

/// Reads the signature of the first `def` (on one line) and its docstring in Google's style: the
/// text before `Args:` is the help, and each `name: text` below it is that of a parameter. Throws
/// BenchError for any other source.
ComponentInfo read_python_function(const std::string& source);

}  // namespace slipway::vectors
