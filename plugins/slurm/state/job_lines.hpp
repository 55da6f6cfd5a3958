// Reads the output of squeue, sacct and scontrol that consists of lines of text.
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// The format that parse_squeue_lines() reads: id, state, time of submission, name, comment and
/// command. A control character separates them, because names and comments may contain any
/// printable text. The last three may also contain line ends.
inline constexpr const char* kSqueueFormat = "%i\x1f%T\x1f%V\x1f%j\x1f%k\x1f%o";

/// The separator for the output that parse_sacct_lines() reads, as in kSqueueFormat.
inline constexpr const char* kSacctDelimiter = "--delimiter=\x1f";

/// Reads the output of `squeue --noheader --array --format=<kSqueueFormat>`. Skips lines of another
/// form.
std::vector<QueueJob> parse_squeue_lines(std::string_view text);

/// Reads the output of `sacct --parsable2`, whose first line names the columns; its first
/// character that is no letter separates columns in all lines. The last columns must be the name
/// and the comment, if the jobs have these. Reads what the first step with a number ("12.0") of
/// each job used, and its number of tasks: it runs the replicas. Skips the other steps, and lines
/// without a job. Throws Error kInvalid for a job without a state.
std::vector<QueueJob> parse_sacct_lines(std::string_view text);

/// Reads the output of `scontrol --oneliner show job`, with or without `--details`. Skips lines
/// without a job.
std::vector<QueueJob> parse_scontrol_lines(std::string_view text);

}  // namespace slipway::slurm
