// Finds one app by its record, by Slurm's answer, or by both.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plugins/slurm/state/job_record.hpp"
#include "slipway/host.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Returns the record of the app; nullopt if there is none. If the record lacks the job's id
/// because Slurm did not answer the submission, reads the id that the job wrote when it started, or
/// searches the queue for the job's mark, and writes the id into the record. Throws Error
/// kTemporary if Slurm does not answer, and as resolve_record() does.
std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call);

/// Gives the record the id of its job. If the user has cancelled the app, cancels the job before.
/// If that fails, the record does not get the id, so that the next call tries again. Throws Error
/// as cancel_job() and write_record() do.
void resolve_record(const std::string& state_root, JobRecord& record, const std::string& app_id,
                    const Call& call);

/// Cancels the app's job; see cancel_job(). Before that, writes a note into the record, unless the
/// record is another user's. The batch script reads the note: `cancelling` for a job whose id is
/// known, so that the script does not requeue the job, or else `cancelled`, so that the job ends
/// when it appears. Does nothing for an unknown app. Throws Error as cancel_job() does, and if it
/// cannot write the note.
void cancel_app(const std::string& state_root, const std::string& app_id, bool now,
                const Call& call);

/// Receives the reason why accounting, which may know more, did not answer.
using OnSilentSource = std::function<void(const std::string&)>;

/// Describes the app by Slurm's answer and its record; returns nullopt if neither knows it, or if
/// the user deleted it. If accounting answers only with other jobs (JobAnswer::others_only), the
/// state is UNKNOWN, as in TorchX. Throws Error kTemporary if Slurm does not answer, and if only
/// accounting may know how the app ended and does not answer.
std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source = {});

}  // namespace slipway::slurm
