// The parameters of the built-in components. A name of one letter is the short name as well, as in TorchX.
#pragma once

#include <string>
#include <vector>

#include "slipway/components.hpp"

namespace slipway::builtins {

/// The image that has the programs of TorchX's own components (`torchx.apps`): the default of every `--image`.
inline constexpr const char* kDefaultImage = "ghcr.io/pytorch/torchx:0.7.0";

/// One that the caller has to give.
ComponentParam required(std::string name, ValueType type, std::string help);
/// One with a default, whose type is the default's.
ComponentParam defaulted(std::string name, Value value, std::string help);
/// One that may be absent.
ComponentParam optional(std::string name, ValueType type, std::string help);
/// What is left of the command line.
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
