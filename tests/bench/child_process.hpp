#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::bench {

using Argv = std::vector<std::string>;

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
std::int64_t monotonic_ns();

/// A child started with posix_spawn. argv[0] is a path; standard input, output and error are
/// /dev/null. The destructor kills and reaps a child that was not waited for.
class ChildProcess {
 public:
  /// `output`, if given, becomes its standard output and is borrowed for the call. Throws
  /// std::system_error if the program cannot start.
  explicit ChildProcess(const Argv& argv, int output = -1);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  /// Blocks until the child has ended, and returns the time at which this process noticed. Throws
  /// std::runtime_error unless its exit status is 0, and if a signal is handled meanwhile.
  std::int64_t wait();

 private:
  std::string name_;
  pid_t pid_ = -1;
};

/// Starts the program, waits for its end, and returns the wall time in milliseconds. Throws like
/// ChildProcess.
double timed_run(const Argv& argv);

/// Runs the program and waits for its end, even after a signal; another signal ends the wait. For
/// destructors: ignores every failure.
void run_cleanup(const Argv& argv) noexcept;

/// Runs the program and returns its maximum resident memory in KiB. Throws like ChildProcess.
long peak_memory_kb(const Argv& argv);

/// Returns the standard output of a command without newlines at its end. Throws like ChildProcess.
std::string output_of(const Argv& argv);

}  // namespace slipway::bench
