#pragma once

#include <string>
#include <vector>

namespace slipway::bench {

/// The baseline of `slipway run` with many replicas: a loop of posix_spawn that keeps up to
/// `window` programs running and opens the same files as Slipway: per program a new directory with
/// stdout.log, stderr.log (its standard output and error) and combined.log.
class SpawnLoop {
 public:
  enum class Session { kShared, kOwn };

  /// Creates the directory `dir`, which must not exist; each run() makes a directory in it. With
  /// Session::kOwn every program leads a new process session, as replicas do; otherwise it is in
  /// the session of this process. Throws std::system_error.
  SpawnLoop(std::string dir, std::string program, int count, int window,
            Session session = Session::kShared);

  /// Starts all programs and waits for them; returns milliseconds. Throws std::runtime_error if a
  /// program fails, or if a signal that ends the bench has come before the call
  /// (interruption.hpp). Throws std::system_error for all other failures, such as a signal that
  /// comes during the wait (EINTR).
  double run();

 private:
  void start_one(const std::string& dir) const;

  std::string dir_;
  std::string program_;
  int count_;
  int window_;
  Session session_;
  int runs_ = 0;
};

/// Returns the window with the smallest median time on this machine, among some usual ones. Creates
/// the directory `dir`, which must not exist. Throws as SpawnLoop::run().
int fastest_window(const std::string& dir, const std::string& program, int count, int rounds);

}  // namespace slipway::bench
