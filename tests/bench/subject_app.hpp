#pragma once

#include <string>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {

/// An app file of one role whose replicas all run the same program.
class SubjectApp {
 public:
  /// Writes `path`. `command` is the entrypoint, an absolute path, and its arguments.
  SubjectApp(const std::string& slipway, std::string path, const Argv& command, int replicas);

  /// A `slipway run` of it with more arguments. Finished apps are kept: deleting them would be
  /// measured, too.
  Argv run_argv(const Argv& more) const;

  /// Starts it detached and returns its handle. Throws like output_of().
  std::string start() const;

 private:
  std::string slipway_;
  std::string path_;
};

}  // namespace slipway::bench
