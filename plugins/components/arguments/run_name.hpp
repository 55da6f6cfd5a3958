// `--name EXPERIMENT/RUN`: what a job is called, for people and for trackers.
#pragma once

#include <string>

#include "plugins/components/arguments/main_program.hpp"

namespace slipway::builtins {

struct RunName {
  std::string experiment;
  std::string run;
};

/// Reads `EXPERIMENT/RUN`, `EXPERIMENT/`, `/RUN`, `RUN` or `/`, as TorchX's `StructuredNameArgument`: the first slash
/// separates. A missing experiment is "default-experiment", a missing run the role_name() of the program. Throws
/// Error(kInvalid) unless exactly one of script and module is given and not empty.
RunName parse_run_name(const std::string& text, const MainProgram& program);

}  // namespace slipway::builtins
