// `squeue --json`, in the shapes of Slurm 21.08 (openapi v0.0.37) to 24.11 (data_parser v0.0.42).
#pragma once

#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// Returns every job of the answer. Treats members that are missing or of a type that no version
/// uses as absent. Throws Error kInvalid if the text is not JSON, was cut off, or has no list of
/// jobs; kTemporary if it has errors instead of jobs: squeue ends with 0 even if no controller
/// answered it.
std::vector<QueueJob> parse_squeue_json(std::string_view text);

/// Returns whether the answer has errors instead of jobs.
bool has_only_errors(std::string_view text);

}  // namespace slipway::slurm
