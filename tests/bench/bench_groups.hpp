#pragma once

#include "tests/bench/bench_options.hpp"
#include "tests/bench/scratch_home.hpp"
#include "tests/bench/subject_tree.hpp"
#include "tests/bench/table.hpp"

namespace slipway::bench {

/// What every group needs to know.
struct BenchRun {
  const BenchOptions& options;
  const SubjectTree& tree;
  const ScratchRoot& scratch;
};

// One group of rows each, in scratch homes of its own. They throw when something that they run
// fails to work.

/// Short commands against /bin/true, and the shared libraries that they load.
void bench_start(const BenchRun& run, Table& table);

/// Apps of 1,000 replicas, of one and of 10,000 against a plain loop of posix_spawn.
void bench_launch(const BenchRun& run, Table& table);

/// Apps of 1,000 replicas against other launchers, as far as they are installed.
void bench_peers(const BenchRun& run, Table& table);

/// From the last exit of an app to the return of `slipway wait`.
void bench_wait(const BenchRun& run, Table& table);

/// Large app files against toml++ alone, and the dry run of many replicas.
void bench_parse(const BenchRun& run, Table& table);

/// Many manifests and resources against few, and against toml++ alone.
void bench_manifests(const BenchRun& run, Table& table);

/// `slipway list` of 1,000 finished apps.
void bench_list(const BenchRun& run, Table& table);

/// Reading, filtering and following the logs of many replicas.
void bench_log(const BenchRun& run, Table& table);

/// One app of 10,000 replicas: what it costs while it runs, asking about it, losing its supervisor,
/// stopping it.
void bench_scale(const BenchRun& run, Table& table);

/// Reading what squeue tells of 10,000 jobs, and submitting without a cluster.
void bench_slurm(const BenchRun& run, Table& table);

}  // namespace slipway::bench
