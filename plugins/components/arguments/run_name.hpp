// Reads `--name EXPERIMENT/RUN`: the experiment, for trackers, and the app's name.
#pragma once

#include <string>

#include "plugins/components/arguments/main_program.hpp"

namespace slipway::builtins {

struct RunName {
  std::string experiment;
  std::string run;
};

/// Reads `EXPERIMENT/RUN`, `EXPERIMENT/`, `/RUN`, `RUN`, `/` or an empty text, like TorchX's
/// `StructuredNameArgument`, and splits at the first slash. The default of the experiment is
/// "default-experiment", that of the run is role_name() of the program. Throws Error(kInvalid) if
/// the program has both a script and a module, or neither; an empty one counts as missing.
RunName parse_run_name(const std::string& text, const MainProgram& program);

}  // namespace slipway::builtins
