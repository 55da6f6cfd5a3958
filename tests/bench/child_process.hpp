#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::bench {

using Argv = std::vector<std::string>;

/// CLOCK_MONOTONIC, in nanoseconds.
std::int64_t monotonic_ns();

/// A child started with posix_spawn: argv[0] is a path, standard input, output and error are
/// /dev/null. It must be waited for; one that was not is killed and reaped by the destructor.
class ChildProcess {
 public:
  /// `output`: what is to be its standard output instead, borrowed for the call. Throws std::system_error when it
  /// cannot be started.
  explicit ChildProcess(const Argv& argv, int output = -1);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  /// Blocks until it has ended, and returns the time at which this process knew. Throws
  /// std::runtime_error unless its exit status is 0, and when a signal is handled meanwhile.
  std::int64_t wait();

 private:
  std::string name_;
  pid_t pid_ = -1;
};

/// Spawns, waits, and returns the wall time between in milliseconds. Throws like ChildProcess.
double timed_run(const Argv& argv);

/// Runs it and returns the most memory that it had resident, in KiB. Throws like ChildProcess.
long peak_memory_kb(const Argv& argv);

/// Standard output of a command, without the last newline. Throws like ChildProcess.
std::string output_of(const Argv& argv);

}  // namespace slipway::bench
