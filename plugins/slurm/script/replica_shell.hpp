// The shell around each replica: its environment, and the record of its start and end.
#pragma once

#include <cstddef>
#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// The signals, as words of bash, that the script's shells survive: the program, which also gets
/// them, decides what they do. They are all signals that a program can catch, without those that
/// report a defect of the process (4, 7, 8, 11), those of job control (17 to 22), and the two that
/// the C library uses (32, 33).
inline constexpr const char* kPassedOn = "1 2 3 5 6 10 {12..16} {23..31} {34..64}";

/// Returns the bash functions, for all components, that run a replica and record its start and end.
std::string replica_functions();

/// Returns the function `slipway_part_N`, which a task of component N runs.
std::string part_function(const JobPlan& plan, std::size_t index);

}  // namespace slipway::slurm
