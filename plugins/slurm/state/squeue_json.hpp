// Reads the output of `squeue --json`, in the shapes of Slurm 21.08 (openapi v0.0.37) to 24.11
// (data_parser v0.0.42).
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// Returns every job in the answer. A member whose type no version uses counts as missing; an
/// element of the list that is not an object is left out. Throws Error kInvalid if the text is not
/// JSON, was cut off, or has no list of jobs, and kTemporary if the list is empty and there are
/// errors: squeue ends with 0 even if no controller has answered it.
std::vector<QueueJob> parse_squeue_json(std::string_view text);

/// Returns whether the answer has errors and an empty list of jobs. Here and above, an answer that
/// Slurm does not know a job is no error.
bool has_only_errors(std::string_view text);

}  // namespace slipway::slurm
