// The time limit of a job: the run option `time` and the `timeout_s` of a role.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::slurm {

/// Returns the seconds in a text of the forms that `sbatch --time` accepts: minutes, MM:SS,
/// HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS. Returns nullopt for other texts, and for no limit (0,
/// UNLIMITED).
std::optional<std::int64_t> seconds_of_time(std::string_view text);

/// Returns the value of `--time` for a role: the shorter of its `timeout_s`, in whole seconds, and
/// `time`; nullopt if it has neither. Returns a `time` of an unknown form unchanged, because sbatch
/// explains what is wrong with it.
std::optional<std::string> time_limit(const Role& role, const std::optional<std::string>& time);

}  // namespace slipway::slurm
