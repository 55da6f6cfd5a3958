// A component that a vector gives as Python source, read as far as a component's help needs it.
#pragma once

#include <string>

#include "slipway/components.hpp"

namespace slipway::vectors {

/// The signature of the first `def` (on one line) and its docstring in Google's style: the text before `Args:` is the help,
/// an `name: text` below it that of a parameter. Throws BenchError for what is no such function.
ComponentInfo read_python_function(const std::string& source);

}  // namespace slipway::vectors
