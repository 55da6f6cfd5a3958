// The files that replicas and the batch script write into the record (script/batch_script.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "slipway/status.hpp"

namespace slipway::slurm {

struct ReplicaRecord {
  std::string node;
  std::int64_t pid = 0;
  std::int32_t requeues = 0;  ///< times that Slurm had requeued the job before this attempt
  TimeNs started_at;
  TimeNs ended_at;
  bool was_stopped = false;          ///< a service that the script stopped: the work was done
  std::optional<std::int32_t> code;  ///< the shell's: 128+n for signal n; none while it runs
  std::int64_t cpu_time_ns = 0;      ///< in steps of 10 ms; 0: unknown
};

/// Returns the newest attempt, and skips lines that an older one wrote late. Returns nothing if the
/// replica has not started and was not stopped before, or the directory is gone.
std::optional<ReplicaRecord> read_replica(const std::string& record_dir, const std::string& role,
                                          std::int32_t id);

/// Returns the error file (TORCHELASTIC_ERROR_FILE) of the replica's attempt after that many
/// requeues, as JSON; empty if there is none of `owner`, if given, or if it exceeds 1 MiB or is no
/// JSON.
std::string read_error_json(const std::string& record_dir, const std::string& role, std::int32_t id,
                            std::int32_t requeues, std::optional<uid_t> owner = {});

/// Returns the id of the app's job, which the job wrote when it started; empty if it has not.
std::string read_job_id(const std::string& record_dir);

/// Returns the time at which the user cancelled the app before Slurm had answered its submission;
/// nothing if the user did not. The job ends itself if it starts later.
TimeNs read_cancellation(const std::string& record_dir);

struct JobResult {
  std::int32_t code = 0;
  TimeNs ended_at;
};

/// Returns the result that the job, or a task of an array, wrote at its end; nothing if it was
/// killed or has not ended.
std::optional<JobResult> read_result(const std::string& record_dir,
                                     std::optional<std::int32_t> task);

}  // namespace slipway::slurm
