#pragma once

#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {

/// Another program that can run a number of programs, some at a time.
struct PeerLauncher {
  std::string name;  ///< with the options that matter: `xargs -P 16`
  Argv argv;         ///< runs them all and ends when they have
  Argv stop;         ///< ends what stays when `argv` is cut off; empty: nothing does
};

/// What becomes of the programs' output: nothing, or two files in a directory of its own for each, as Slipway keeps it. Such
/// directories are made below the one that the environment variable BENCH_OUT names.
enum class PeerOutput { kDropped, kKept };

/// Those of xargs, make, ninja, GNU parallel and task-spooler that are on PATH: each would run
/// `program` `count` times, at most `window` at a time. Their input is written
/// below `dir`, which is made. `missing` gets the names of the others. Throws std::system_error.
std::vector<PeerLauncher> peer_launchers(const std::string& dir, const std::string& program,
                                         int count, int window, PeerOutput output,
                                         std::vector<std::string>& missing);

}  // namespace slipway::bench
