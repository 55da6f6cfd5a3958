// Running a program of the engine, for a bounded time.
#pragma once

#include <chrono>
#include <string>

#include "slipway/dict.hpp"

namespace slipway::slurm {

struct ProgramResult {
  enum class End {
    kExited,     ///< with `status`; 128+n for signal n
    kMissing,    ///< there is no such program on PATH
    kTimeout,    ///< killed because the time was up
    kCancelled,  ///< killed because the caller asked to stop
  };
  End end = End::kExited;
  int status = 0;
  std::string out;
  std::string err;

  bool ok() const { return end == End::kExited && status == 0; }
};

/// Runs `argv` (looked up on PATH) with an empty standard input, in the caller's environment, until it ends or `timeout`
/// has passed or `cancel_fd` (-1: none) becomes readable; then it and its process group are killed. Throws Error
/// kUnavailable when the system has no process or descriptor left. [any thread]
ProgramResult run_program(const StrList& argv, std::chrono::milliseconds timeout, int cancel_fd);

}  // namespace slipway::slurm
