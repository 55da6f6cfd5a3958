// Finding one app: by its record, by Slurm's word, or by both.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plugins/slurm/state/job_record.hpp"
#include "slipway/host.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// The record of the app. If it is not known yet whether Slurm has the app's job, searches the
/// queue for the job's mark, and records the job's id once it is found. Nothing where there is no
/// record. Throws Error kTemporary where Slurm does not answer.
std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call);

/// The id of the app's job: `app_id` itself, or what the record has for an app that was found
/// later. Empty: no job is known.
std::string job_of_app(const std::string& state_root, const std::string& app_id, const Call& call);

/// Receives a warning: why a source that could know more did not answer.
using OnSilentSource = std::function<void(const std::string&)>;

/// Returns the app as Slurm and its record describe it; nothing when neither knows it. Throws Error
/// kTemporary where Slurm does not answer, and where accounting, which does not, may know how the
/// app ended while its record does not.
std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source = {});

}  // namespace slipway::slurm
