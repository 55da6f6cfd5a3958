#include "slipway/plugin.hpp"

#include "plugins/components/builtins/builtins.hpp"

SLIPWAY_PLUGIN("org.slipway.builtins", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::builtins::Builtins, "dist",
                                "distributed PyTorch programs"),
               SLIPWAY_PROVIDER(slipway::builtins::Builtins, "metrics", "TensorBoard"),
               SLIPWAY_PROVIDER(slipway::builtins::Builtins, "serve", "TorchServe"),
               SLIPWAY_PROVIDER(slipway::builtins::Builtins, "utils",
                                "a command, a Python program, a file"))
