// Finds one app by its record, by Slurm's answer, or by both.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plugins/slurm/state/job_record.hpp"
#include "slipway/host.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Returns the record of the app; nothing if there is none. If the record lacks the job's id,
/// because Slurm did not answer the submission, searches the queue for the job's mark and records
/// the id. Throws Error kTemporary if Slurm does not answer.
std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call);

/// Returns the id of the app's job: `app_id` itself, or the id that the record got later; empty if
/// no job is known.
std::string job_of_app(const std::string& state_root, const std::string& app_id, const Call& call);

/// Receives the reason why a source that may know more did not answer.
using OnSilentSource = std::function<void(const std::string&)>;

/// Describes the app by Slurm and its record; returns nothing if neither knows it. Throws Error
/// kTemporary if Slurm does not answer. Does the same if only accounting may know how the app
/// ended, and accounting does not answer.
std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source = {});

}  // namespace slipway::slurm
