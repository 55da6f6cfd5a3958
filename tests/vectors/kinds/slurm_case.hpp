// What the slurm_* kinds share: a case's app and run options, and stand-ins for Slurm's commands.
#pragma once

#include <string>

#include "slipway/options.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Slurm's commands of a case: scripts in a directory that is all of PATH, so that no cluster of this machine is asked.
/// State and working directory are the case's own.
class SlurmCase {
 public:
  explicit SlurmCase(const VectorCase& one);

  /// A command that runs `script` (sh, with builtins alone).
  void install(const std::string& command, const std::string& script) const;
  /// A command that prints `text` and ends with `status`.
  void install_output(const std::string& command, const std::string& text, int status) const;
  /// What the vectors call {json | text, rc}; no command where there is none.
  void install_answer(const std::string& command) const;

  registry::AdoptedScheduler scheduler(Bench& bench) const;
  /// The dry run of the case's app, in TorchX's shape.
  registry::AdoptedRequest request(const registry::AdoptedScheduler& scheduler) const;

  std::string path(const std::string& name) const { return root_.path() + "/" + name; }

 private:
  const json::object input_;
  ScratchDirectory root_;
  Surroundings surroundings_;
};

/// The text without the mark that Slipway puts into a job's comment.
std::string without_mark(std::string text);

}  // namespace slipway::vectors
