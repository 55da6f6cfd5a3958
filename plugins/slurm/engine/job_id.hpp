// Ids of jobs in the form of `sbatch --parsable`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::slurm {

/// "1234", or "1234;cluster" where sbatch submits to several clusters.
struct JobId {
  std::int64_t number = 0;
  std::string cluster;  ///< empty: the one that this machine's configuration names

  /// Returns `argv` with the options that name the job: `-j` and, for another cluster,
  /// `--clusters`.
  StrList with_options(StrList argv) const;
};

/// Reads an id. Returns nullopt for a text that is not an id.
std::optional<JobId> parse_job_id(std::string_view text);

}  // namespace slipway::slurm
