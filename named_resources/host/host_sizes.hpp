// A machine cut into named pieces.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "named_resources/host/machine.hpp"
#include "slipway/app.hpp"

namespace slipway::host_resources {

/// All that people should see: full, half, quarter, numa, gpu (where there are GPUs), and the powers of two of cpus.
Dict<Resource> host_sizes(const Machine& machine);

/// The one called `name`: of those above, or `host.N` for any number of cpus that the machine has. `machine` is asked
/// only if the name may be one. nullopt: there is none.
std::optional<Resource> host_size(std::string_view name,
                                  const std::function<const Machine&()>& machine);

}  // namespace slipway::host_resources
