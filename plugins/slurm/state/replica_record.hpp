// What replicas and the batch script write down in the shared record directory
// (script/batch_script.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "slipway/status.hpp"

namespace slipway::slurm {

struct ReplicaRecord {
  std::string node;
  std::int64_t pid = 0;
  std::int32_t attempt = 0;  ///< how often the job had been requeued
  TimeNs started_at;
  TimeNs ended_at;
  std::optional<std::int32_t> code;  ///< the shell's: 128+n for signal n; none while it runs
};

/// The newest attempt; lines that an older one wrote late are skipped. Nothing when the replica has
/// not started, or the directory is gone.
std::optional<ReplicaRecord> read_replica(const std::string& record_dir, const std::string& role,
                                          std::int32_t id);

/// What the replica's newest attempt left in its error file (TORCHELASTIC_ERROR_FILE), as JSON;
/// empty: no file, one of more than 1 MiB, or no JSON.
std::string read_error_json(const std::string& record_dir, const std::string& role,
                            std::int32_t id);

struct JobResult {
  std::int32_t code = 0;
  TimeNs ended_at;
};

/// How the job itself says that it ended; `task` of an array. Nothing when it was killed, or has
/// not ended.
std::optional<JobResult> read_result(const std::string& record_dir,
                                     std::optional<std::int32_t> task);

}  // namespace slipway::slurm
