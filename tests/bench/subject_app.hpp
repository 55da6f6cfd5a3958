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

  /// The program that runs it.
  const std::string& slipway() const { return slipway_; }

 private:
  std::string slipway_;
  std::string path_;
};

/// An app that was started with `run -d`. The destructor cancels it when an exception left it
/// running, so that nothing outlives the benchmark.
class DetachedApp {
 public:
  /// `definition` must live longer; `more` are arguments of `run`. Throws like output_of().
  explicit DetachedApp(const SubjectApp& definition, const Argv& more = {});
  DetachedApp(const DetachedApp&) = delete;
  DetachedApp& operator=(const DetachedApp&) = delete;
  ~DetachedApp();

  const std::string& handle() const { return handle_; }

 private:
  const SubjectApp& definition_;
  std::string handle_;
  int exceptions_before_;
};

}  // namespace slipway::bench
