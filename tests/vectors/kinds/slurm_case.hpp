// Shared by the slurm_* kinds: a case's app and run options, and fake commands of Slurm.
#pragma once

#include <string>

#include "slipway/options.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// The fake Slurm commands of a case: scripts in a directory that is the whole PATH, so that no
/// real cluster is asked. Each case has its own state and working directory.
class SlurmCase {
 public:
  explicit SlurmCase(const VectorCase& one);

  /// Installs a command that runs `script` (sh with builtins only).
  void install(const std::string& command, const std::string& script) const;
  /// Installs a command that prints `text` and exits with `status`.
  void install_output(const std::string& command, const std::string& text, int status) const;
  /// Installs the command that the vectors describe as {json | text, rc}, or none.
  void install_answer(const std::string& command) const;

  registry::PluginScheduler scheduler(Bench& bench) const;
  /// Returns the dry run of the case's app in TorchX's form: one component of a heterogeneous job
  /// for each replica.
  AppRequest request(const registry::PluginScheduler& scheduler) const;

  std::string path(const std::string& name) const { return root_.path() + "/" + name; }

 private:
  const json::object input_;
  ScratchDirectory root_;
  Surroundings surroundings_;
};

/// Returns the text without the mark that Slipway adds to a job's comment.
std::string without_mark(std::string text);

}  // namespace slipway::vectors
