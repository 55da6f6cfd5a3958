// Builds the parameters of the built-in components. A name of one letter is also the short name, as
// in TorchX.
#pragma once

#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::builtins {

/// The default of every `--image`. The image contains the programs of TorchX's own components
/// (`torchx.apps`).
inline constexpr const char* kDefaultImage = "ghcr.io/pytorch/torchx:0.7.0";

/// Returns a parameter without a default that the caller must give.
ComponentParam required(std::string name, ValueType type, std::string help);
/// Returns a parameter with a default, which determines the type.
ComponentParam defaulted(std::string name, Value value, std::string help);
/// Returns a parameter that may be absent.
ComponentParam optional(std::string name, ValueType type, std::string help);
/// Returns the variadic parameter, which takes the rest of the command line.
ComponentParam rest(std::string name, std::string help);

/// `--image`
ComponentParam image_param();
/// `--num_replicas`
ComponentParam replicas_param();
/// `--cpu`, `--gpu`, `--memMB`, `-h`: see requested_resource().
std::vector<ComponentParam> resource_params(std::int64_t cpu);
/// `--env`
ComponentParam env_param();
/// `--max_retries`
ComponentParam retries_param();
/// `--mounts`
ComponentParam mounts_param();

}  // namespace slipway::builtins
