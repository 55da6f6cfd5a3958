#pragma once

#include "tests/bench/bench_options.hpp"
#include "tests/bench/scratch_home.hpp"
#include "tests/bench/subject_tree.hpp"
#include "tests/bench/table.hpp"

namespace slipway::bench {

/// The context of every group.
struct BenchRun {
  const BenchOptions& options;
  const SubjectTree& tree;
  const ScratchRoot& scratch;
};

// Each function measures one group of rows, in its own scratch homes. It throws if a program that
// it runs fails.

/// Compares short commands with /bin/true, and lists the shared libraries that they load.
void bench_start(const BenchRun& run, Table& table);

/// Compares apps of 1,000 and of 10,000 replicas with a plain loop of posix_spawn, and an app of
/// one replica with the three programs that it needs at least: two commands and the replica.
void bench_launch(const BenchRun& run, Table& table);

/// Compares apps of 1,000 replicas with other launchers that are installed.
void bench_peers(const BenchRun& run, Table& table);

/// Measures from the last exit of an app to the return of `slipway wait`.
void bench_wait(const BenchRun& run, Table& table);

/// Compares calls through the binary contract with calls of virtual functions.
void bench_boundary(const BenchRun& run, Table& table);

/// Compares reading a large app file with toml++ alone, and measures the dry run of many replicas.
void bench_parse(const BenchRun& run, Table& table);

/// Compares many manifests and resources with few, and with toml++ alone.
void bench_manifests(const BenchRun& run, Table& table);

/// Measures `slipway list` of 1,000 finished apps.
void bench_list(const BenchRun& run, Table& table);

/// Measures reading, filtering and following the logs of many replicas.
void bench_log(const BenchRun& run, Table& table);

/// Measures apps of 10,000 replicas: their cost while they run, their status, the loss of the
/// supervisor, and their cancellation.
void bench_scale(const BenchRun& run, Table& table);

/// Measures the plug-in `slurm` without a cluster: reading squeue's output, submitting, listing and
/// waiting.
void bench_slurm(const BenchRun& run, Table& table);

/// Measures components in Python: a dry run, and completion of their parameters and names.
void bench_components(const BenchRun& run, Table& table);

/// Starts a Docker engine, and compares containers and their logs with plain requests to the same
/// engine. Only adds a note if no engine can be started.
void bench_docker(const BenchRun& run, Table& table);

}  // namespace slipway::bench
