#pragma once

#include <string>
#include <vector>

namespace slipway::bench {

/// What `slipway run` of many replicas is measured against: a loop of posix_spawn that keeps up to
/// `window` programs running and opens the same files: per program a new directory with stdout.log,
/// stderr.log (its standard output and error) and combined.log.
class SpawnLoop {
 public:
  enum class Session { kShared, kOwn };

  /// Directories are made below `dir`, a new one per run(). Session::kOwn: every program leads a
  /// new session, as replicas do; a plain loop shares its own.
  SpawnLoop(std::string dir, std::string program, int count, int window,
            Session session = Session::kShared);

  /// Starts all programs and waits for them; returns milliseconds. Throws std::system_error, and
  /// std::runtime_error when a program fails.
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

/// Among some usual windows the one with the smallest median time on this machine now.
int fastest_window(const std::string& dir, const std::string& program, int count, int rounds);

}  // namespace slipway::bench
