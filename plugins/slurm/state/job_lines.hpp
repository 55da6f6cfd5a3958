// Reads the output of squeue, sacct and scontrol that consists of lines of text.
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// The format that parse_squeue_lines() reads: id, state, time of submission, name and comment. The
/// comment is last, because it may contain any text.
inline constexpr const char* kSqueueFormat = "%i|%T|%V|%j|%k";

/// Reads the output of `squeue --noheader --array --format=<kSqueueFormat>`. Skips lines of another
/// form.
std::vector<QueueJob> parse_squeue_lines(std::string_view text);

/// Reads the output of `sacct --parsable2`, whose first line names the columns. A comment must be
/// the last column. Reads what the first step with a number ("12.0") of each job used: it runs the
/// replicas. Skips the other steps, and lines without a job. Throws Error kInvalid for a job
/// without a state.
std::vector<QueueJob> parse_sacct_lines(std::string_view text);

/// Reads the output of `scontrol --oneliner show job`, with or without `--details`. Skips lines
/// without a job.
std::vector<QueueJob> parse_scontrol_lines(std::string_view text);

}  // namespace slipway::slurm
