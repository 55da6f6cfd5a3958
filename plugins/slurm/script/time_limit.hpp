// The time limit of a component: the run option `time` and the `timeout_s` of its role.
#pragma once

#include <optional>
#include <string>

#include "slipway/app.hpp"

namespace slipway::slurm {

/// Returns the value of `--time` for a role: the shorter of its `timeout_s`, rounded up to whole
/// seconds, and `time`; nullopt if neither is given. Returns a `time` of an unknown form unchanged,
/// because sbatch explains what is wrong with it.
std::optional<std::string> time_limit(const Role& role, const std::optional<std::string>& time);

}  // namespace slipway::slurm
