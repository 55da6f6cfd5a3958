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
/// because Slurm did not answer the submission, looks for the id that the job wrote when it
/// started, searches the queue for the job's mark, and records the id. Throws Error kTemporary if
/// Slurm does not answer.
std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call);

/// Gives the record the id of its job. Cancels the job if the user has cancelled the app; unless
/// that succeeds, the record does not get the id, and the next call repeats it. Throws Error as
/// cancel_job() and write_record() do.
void resolve_record(const std::string& state_root, JobRecord& record, const std::string& app_id,
                    const Call& call);

/// Cancels the app's job; see cancel_job(). If Slurm has not answered the submission, notes the
/// cancellation in the record: the job then ends when it appears.
void cancel_app(const std::string& state_root, const std::string& app_id, bool now,
                const Call& call);

/// Receives the reason why a source that may know more did not answer.
using OnSilentSource = std::function<void(const std::string&)>;

/// Describes the app by Slurm and its record; returns nothing if neither knows it. Throws Error
/// kTemporary if Slurm does not answer. Does the same if only accounting may know how the app
/// ended, and accounting does not answer.
std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source = {});

}  // namespace slipway::slurm
