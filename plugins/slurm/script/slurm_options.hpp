// The run options of the scheduler `slurm`.
#pragma once

#include <optional>
#include <string>

#include "slipway/options.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::slurm {

/// An option that was not given is not passed to Slurm, one that was given empty is passed empty, as in TorchX.
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
  StrDict
      sbatch;  ///< any other option of sbatch, without the dashes; "": an option without a value
};

RunOpts declared_options();

/// Throws Error kInvalid for options that contradict each other, for control characters, and for an option in `sbatch`
/// that Slipway decides itself.
SlurmOptions read_options(const Cfg& cfg);

}  // namespace slipway::slurm
