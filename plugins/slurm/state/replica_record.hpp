// The files that replicas and the batch script write into the record (script/batch_script.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "slipway/status.hpp"

namespace slipway::slurm {

/// One attempt of a replica.
struct ReplicaRecord {
  std::string node;
  std::int64_t pid = 0;
  std::int32_t requeues = 0;  ///< number of requeues of the job before this attempt
  TimeNs started_at;
  TimeNs ended_at;
  bool was_stopped = false;          ///< of a service, which the script stopped after the work
  std::optional<std::int32_t> code;  ///< the shell's: 128+n for signal n; none: no end recorded
  std::int64_t cpu_time_ns = 0;      ///< in steps of 10 ms; 0: unknown
};

/// Returns the newest attempt of a replica. Ignores lines that an older attempt wrote late. Returns
/// nullopt if the replica was neither started nor stopped, or if the directory is missing.
std::optional<ReplicaRecord> read_replica(const std::string& record_dir, const std::string& role,
                                          std::int32_t id);

/// Returns the error file (TORCHELASTIC_ERROR_FILE) of the replica's attempt after `requeues`
/// requeues, as JSON. Returns an empty text if the file is missing, does not belong to `owner`, if
/// given, exceeds 1 MiB, or is not JSON.
std::string read_error_json(const std::string& record_dir, const std::string& role, std::int32_t id,
                            std::int32_t requeues, std::optional<uid_t> owner = {});

/// Returns the id of the app's job, which the job wrote when it started, in the form of `sbatch
/// --parsable`; empty if it has not started.
std::string read_job_id(const std::string& record_dir);

/// Returns the time at which the user cancelled the app before Slurm had answered its submission;
/// nullopt if the user did not. A job that starts later reads the same note and ends.
TimeNs read_cancellation(const std::string& record_dir);

/// The end of a job, or of a task of an array.
struct JobResult {
  std::int32_t code = 0;  ///< exit status
  TimeNs ended_at;
};

/// Returns the result that the job, or the `task` of an array, wrote at its end; nullopt if it was
/// killed or has not ended.
std::optional<JobResult> read_result(const std::string& record_dir,
                                     std::optional<std::int32_t> task);

}  // namespace slipway::slurm
