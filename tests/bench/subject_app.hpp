#pragma once

#include <string>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {

/// An app file with one role whose replicas all run the same program.
class SubjectApp {
 public:
  /// Writes `path`. `command` is the entrypoint, an absolute path, and its arguments.
  SubjectApp(const std::string& slipway, std::string path, const Argv& command, int replicas);

  /// Returns the command `slipway run` for the app with further arguments. Keeps finished apps,
  /// because their deletion would also be measured.
  Argv run_argv(const Argv& more) const;

  /// Returns the path of `slipway`.
  const std::string& slipway() const { return slipway_; }

 private:
  std::string slipway_;
  std::string path_;
};

/// An app started with `run -d`. The destructor cancels it if it still runs after an exception, so
/// that no process outlives the benchmark.
class DetachedApp {
 public:
  /// `definition` must outlive the app; `more` are arguments of `run`. Throws like output_of().
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
