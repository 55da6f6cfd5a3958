#pragma once

#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {

/// Another program that can run several programs in parallel.
struct PeerLauncher {
  std::string name;  ///< the program with its relevant options: `xargs -P 16`
  Argv argv;         ///< runs all programs and ends after the last
  Argv stop;         ///< ends processes that stay after `argv` was interrupted; may be empty
};

/// The destination of the programs' output: nowhere, or two files in a directory per program, as
/// Slipway stores it. The directories are below the one in the variable BENCH_OUT. task-spooler
/// keeps its own single file per program instead.
enum class PeerOutput { kDropped, kKept };

/// Returns those of xargs, make, ninja, GNU parallel and task-spooler that are on PATH. Each runs
/// `program` `count` times, at most `window` at a time. Writes their input below `dir`, which it
/// creates, and the names of the others to `missing`. Throws std::system_error.
std::vector<PeerLauncher> peer_launchers(const std::string& dir, const std::string& program,
                                         int count, int window, PeerOutput output,
                                         std::vector<std::string>& missing);

}  // namespace slipway::bench
