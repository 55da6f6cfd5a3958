#include "plugins/components/builtins/torchrun_params.hpp"

#include "plugins/components/builtins/parameters.hpp"

namespace slipway::builtins {

std::vector<ComponentParam> program_params() {
  return {optional("script", ValueType::kStr, "the script to run, a path in the image"),
          optional("m", ValueType::kStr, "the Python module to run, instead of a script"),
          image_param(),
          defaulted("name", std::string("/"),
                    "EXPERIMENT/RUN, EXPERIMENT/, /RUN or RUN; a run without a name has the "
                    "script's or module's")};
}

ComponentParam debug_param() {
  return defaulted("debug", false, "set the variables that make PyTorch and NCCL tell more");
}

}  // namespace slipway::builtins
