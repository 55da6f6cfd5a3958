// The output of Slurm's commands as lines of text: squeue, sacct and scontrol.
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// The format that parse_squeue_lines() reads: id, state, time of submission, name and, because it
/// may hold any text, last the comment.
inline constexpr const char* kSqueueFormat = "%i|%T|%V|%j|%k";

/// Reads the output of `squeue --noheader --array --format=<kSqueueFormat>`. Skips other lines.
std::vector<QueueJob> parse_squeue_lines(std::string_view text);

/// Reads the output of `sacct --parsable2`, whose first line names the columns; a comment must come
/// last. Reads what the first step of each job used ("12.0"), and skips its other steps and lines
/// that are no job. Throws Error kInvalid for a job without a state.
std::vector<QueueJob> parse_sacct_lines(std::string_view text);

/// Reads the output of `scontrol --oneliner show job`, with or without `--details`.
std::vector<QueueJob> parse_scontrol_lines(std::string_view text);

}  // namespace slipway::slurm
