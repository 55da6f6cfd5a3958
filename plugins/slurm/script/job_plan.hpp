// A job before it becomes a script and is submitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/dict.hpp"

namespace slipway::slurm {

/// How replicas become parts of a job. In this plug-in, a component is one of the parts that Slurm
/// calls so in a heterogeneous job; any other job is a single component.
enum class Shape : std::int32_t {
  kRoles,     ///< a component for each role; its replicas are tasks of one step
  kReplicas,  ///< a component for each replica, TorchX's shape
  kArray,     ///< a job array, in which each replica is a job
};

/// Options of a command by name. The value is nullopt for an option without one, such as
/// `--requeue`.
using JobOptions = Dict<std::optional<std::string>>;

/// One component: replicas `first` to `first + count - 1` of a role. Arguments, values of
/// `env` and of options may have places (text_places.hpp).
struct JobPart {
  std::string name;  ///< the component's job name
  std::string role;
  std::int32_t first = 0;
  std::int32_t count = 1;
  std::string entrypoint;
  StrList args;
  StrDict env;
  std::int32_t cpus = 0;  ///< CPUs of each replica; 0: not specified
  bool service = false;   ///< the job does not wait for its end
  JobOptions sbatch;
  JobOptions srun;
};

struct JobPlan {
  Shape shape = Shape::kRoles;
  std::string app_name;
  std::string session;
  std::string mark;  ///< `session/name-suffix`, unique: in the job's comment, and its record's path
  std::int32_t max_retries = 0;        ///< requeues of the job: the smallest number of its roles
  std::optional<std::string> job_dir;  ///< the job's working directory; not set: the submitter's
  std::string record_dir;   ///< directory of the script, the replicas' records and the result
  std::string log_dir;      ///< directory of the replicas' logs
  bool fail_fast = false;   ///< a replica that fails ends the others
  StrList command;          ///< sbatch and its options, without the script
  JobOptions srun_options;  ///< the user's options for every step
  std::vector<JobPart> parts;
  std::set<std::size_t> hosts;  ///< numbers of the parts whose hosts the texts mention
};

/// Returns a role's name for use in a file's name. Encodes `%`, which begins a pattern in the names
/// of Slurm's output files, as `%25`, and `\`, which switches patterns off, as `%5C`. The name of
/// an output file needs file_pattern() (sbatch_lines.hpp) of the result.
std::string file_name_of(const std::string& role);

/// Returns "--name" or "--name=value".
std::string option_text(const std::string& name, const std::optional<std::string>& value);

/// Returns the value of the user's option `--clusters` of sbatch, such as "east,west"; empty if the
/// option is not given.
std::string clusters_of(const JobPlan& plan);

/// Returns the comment of a job: the user's comment, then the mark in brackets, by which Slipway
/// finds the job.
std::string marked_comment(const std::optional<std::string>& comment, const std::string& mark);

/// Returns the mark in a job's comment; empty if it has none.
std::string mark_in(std::string_view comment);

/// The values of an app that its mark contains. They are known even without the record.
struct MarkedApp {
  std::string session;
  std::string name;
};
/// Returns the values in a mark; empty ones for a text without a slash.
MarkedApp app_of_mark(std::string_view mark);

}  // namespace slipway::slurm
