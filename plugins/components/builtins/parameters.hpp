// Builds the parameters of the built-in components. A parameter whose name is one letter is also a
// short option (`-j`), as in TorchX.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::builtins {

/// The default of every `--image`. The image contains the programs of TorchX's own components
/// (`torchx.apps`).
inline constexpr const char* kDefaultImage = "ghcr.io/pytorch/torchx:0.7.0";

/// Returns a parameter that the caller must give.
ComponentParam required_param(std::string name, ValueType type, std::string help);
/// Returns a parameter with a default, which determines the type.
ComponentParam defaulted_param(std::string name, Value value, std::string help);
/// Returns a parameter without a default, which has no value if the caller does not give one.
ComponentParam optional_param(std::string name, ValueType type, std::string help);
/// Returns the variadic parameter, which takes the rest of the command line.
ComponentParam rest_param(std::string name, std::string help);

ComponentParam image_param();
ComponentParam replicas_param();
ComponentParam env_param();
ComponentParam retries_param();
ComponentParam mounts_param();
/// Returns `--cpu`, `--gpu`, `--memMB` and `-h`, which requested_resource() in role_values.hpp
/// reads. `cpu` is the default of `--cpu`.
std::vector<ComponentParam> resource_params(std::int64_t cpu);

}  // namespace slipway::builtins
