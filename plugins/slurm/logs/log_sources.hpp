// Which files hold what a reader asks for.
#pragma once

#include <vector>

#include "plugins/slurm/logs/log_files.hpp"
#include "plugins/slurm/state/job_record.hpp"

namespace slipway::slurm {

/// `slurm-<app_id>-<role>-<replica>.out` and `.err` of the wanted replicas; for the combined stream
/// both. Throws Error kNotFound for a role or replica that the app does not have.
std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query);

/// Those of the files that are gone although their replicas have started: moved away or removed by
/// somebody.
StrList missing_logs(const JobRecord& record, const std::vector<LogFile>& files);

}  // namespace slipway::slurm
