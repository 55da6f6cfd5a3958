// A job as any command and version of Slurm reports it, also after the job has left the queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Nanoseconds in a second: Slurm counts in seconds, the SDK in nanoseconds.
inline constexpr std::int64_t kSecondNs = 1'000'000'000;

/// What the step that runs a job's replicas used, from accounting.
struct StepUse {
  std::int32_t tasks = 0;                    ///< number of tasks; 0: unknown
  ResourceUse use;                           ///< CPU time of all tasks, memory of the largest one
  std::optional<std::int32_t> largest_task;  ///< the task with the most memory

  /// Returns what the task used, as far as it is known.
  ResourceUse of_task(std::int32_t task) const {
    if (tasks == 1) return use;
    return largest_task == task ? ResourceUse{0, use.max_rss_bytes} : ResourceUse{};
  }
};

struct QueueJob {
  std::int64_t id = 0;          ///< the job's number
  std::int64_t het_id = 0;      ///< id of the first component; 0: not a heterogeneous job
  std::int32_t het_offset = 0;  ///< number of the component, from 0
  std::int64_t array_id = 0;    ///< 0: not part of an array
  std::optional<std::int32_t> array_task;  ///< none: no array, or a group of tasks that wait
  std::string array_tasks;                 ///< the tasks of the group, "2-3,7%2"; empty: no group
  std::string name;
  std::vector<std::string> states;  ///< base state and flags, as Slurm spells them
  std::string state_text;           ///< sacct's, "CANCELLED by 1000"; else empty
  std::string reason;               ///< why it waits or how it ended; empty: none
  std::string nodes;                ///< "n[1-2]"; empty: none yet
  std::vector<std::string> hosts;   ///< the nodes, one by one; empty if Slurm does not list them
  std::string command;              ///< path of the batch script
  std::string work_dir;             ///< working directory of the batch script
  std::string comment;
  std::optional<std::int32_t> exit_code;  ///< none: unknown, or a signal ended the job
  std::int32_t signal = 0;                ///< the signal that ended the job; 0: none
  std::optional<std::int32_t> restarts;   ///< number of requeues; none: unknown
  std::int32_t tasks = 1;                 ///< number of tasks
  Resource resource;                      ///< what the job got on its last host, if reported
  StepUse step;                           ///< only from accounting
  TimeNs submitted_at;
  TimeNs started_at;
  TimeNs finished_at;

  /// Returns the number that is the id of the job's app.
  std::int64_t app_id() const { return het_id != 0 ? het_id : array_id != 0 ? array_id : id; }
};

}  // namespace slipway::slurm
