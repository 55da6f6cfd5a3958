// The run options of the scheduler `slurm`.
#pragma once

#include <optional>
#include <string>

#include "slipway/options.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::slurm {

/// The options of a run. As in TorchX, Slurm does not get options that were not given, but gets
/// options that were given empty.
struct SlurmOptions {
  std::optional<std::string> partition;
  std::optional<std::string> time;
  std::optional<std::string> constraint;
  std::optional<std::string> qos;
  std::optional<std::string> account;
  std::optional<std::string> reservation;
  std::optional<std::string> comment;
  std::optional<std::string> mail_user;
  std::optional<std::string> mail_type;
  std::optional<std::string> job_dir;
  bool nomem = false;
  bool array = false;
  bool het_per_replica = false;
  bool fail_fast = false;
  bool requeue = false;  ///< after a failure of a node, Slurm requeues the job even without retries
  StrDict sbatch;        ///< other options of sbatch, without dashes; "": an option without a value
  StrDict srun;          ///< other options of srun, in the same form
};

RunOpts declared_options();

/// Reads the options of a run. Fills in options that were not given from the variables that sbatch
/// reads, such as SBATCH_PARTITION: sbatch itself does not get them (run_command() in
/// engine/slurm_command.hpp), and a dry run shows the values. Throws Error kInvalid for options
/// that contradict each other, for control characters in options and variables, and, in `sbatch`
/// and `srun`, for names that are not options or not the whole current names, and for options
/// that Slipway sets itself.
SlurmOptions read_options(const Cfg& cfg);

}  // namespace slipway::slurm
