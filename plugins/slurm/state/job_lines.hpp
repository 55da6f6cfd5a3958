// What Slurm's commands say in lines: squeue without JSON, sacct, scontrol.
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// The format that parse_squeue_lines() reads; the comment, which may hold anything, comes last.
inline constexpr const char* kSqueueFormat = "%i|%T|%r|%N|%u|%V|%S|%e|%o|%j|%k";

/// `squeue --noheader --states=all --array --format=<kSqueueFormat>`. Lines that are none are
/// passed over.
std::vector<QueueJob> parse_squeue_lines(std::string_view text);

/// `sacct --parsable2 ...`, with its title; columns are found by their names. Steps ("12.batch")
/// are left out. Throws Error kInvalid for a job without a state.
std::vector<QueueJob> parse_sacct_lines(std::string_view text);

/// `scontrol show job --oneliner`.
std::vector<QueueJob> parse_scontrol_lines(std::string_view text);

}  // namespace slipway::slurm
