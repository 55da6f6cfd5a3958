// Divides a machine into named resources.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "named_resources/host/machine.hpp"
#include "slipway/app.hpp"

namespace slipway::host_resources {

/// Returns the resources that lists show, whose names begin with `host.`: full, half, quarter, numa
/// (the share of one NUMA node), gpu (the share of one GPU, if the machine has any), and the powers
/// of two up to the number of CPUs: so many CPUs with their share of the memory, without a GPU.
/// Rounds down, but to no less than one CPU. A machine of unknown memory leaves the memory open.
Dict<Resource> host_sizes(const Machine& machine);

/// Returns the resource of that name: one of the above, or `host.N` up to the machine's CPUs.
/// Returns nullopt for any other name. Calls `machine` only for names that begin with `host.`.
std::optional<Resource> host_size(std::string_view name,
                                  const std::function<const Machine&()>& machine);

}  // namespace slipway::host_resources
