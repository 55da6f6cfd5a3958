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

/// The parts of a job that replicas become.
enum class Shape : std::int32_t {
  kRoles,     ///< a component for each role; its replicas are tasks of one step
  kReplicas,  ///< a component for each replica, TorchX's shape
  kArray,     ///< a job array; each replica a job
};

/// An option without a value (`--requeue`) has none.
using JobOptions = Dict<std::optional<std::string>>;

/// One component: replicas `first` to `first + count - 1` of a role. Texts are marked
/// (marked_text.hpp).
struct JobPart {
  std::string name;  ///< the component's job name
  std::string role;
  std::int32_t first = 0;
  std::int32_t count = 1;
  std::string entrypoint;
  StrList args;
  StrDict env;
  std::int32_t cpus = 0;  ///< of each replica; 0: not said
  bool service = false;   ///< the job ends without it
  JobOptions sbatch;
  JobOptions srun;
};

struct JobPlan {
  Shape shape = Shape::kRoles;
  std::string app_name;
  std::string session;
  std::string mark;  ///< `session/name-suffix`, unique: in the job's comment, and its record's path
  std::int32_t max_retries = 0;
  std::optional<std::string> job_dir;
  std::string record_dir;  ///< script, replica records, result
  std::string log_dir;
  bool fail_fast = false;   ///< a replica that fails ends the others
  StrList command;          ///< sbatch and its options, without the script
  JobOptions srun_options;  ///< of the user, for every step
  std::vector<JobPart> parts;
  std::set<std::size_t> hosts;  ///< the parts whose hosts the texts mention
};

/// Returns a role's name as a part of a file's name, without `%` and `\\`, which have a meaning in
/// the names of Slurm's output files.
std::string file_name_of(const std::string& role);

/// Returns "--name" or "--name=value".
std::string option_text(const std::string& name, const std::optional<std::string>& value);

/// Returns the comment by which a job is found: the user's, then the mark in brackets.
std::string marked_comment(const std::optional<std::string>& comment, const std::string& mark);

/// Returns the mark in a job's comment; empty if it has none.
std::string mark_in(std::string_view comment);

/// The values of an app that its mark contains, also on hosts without the record.
struct MarkedApp {
  std::string session;
  std::string name;
};
MarkedApp app_of_mark(std::string_view mark);

}  // namespace slipway::slurm
