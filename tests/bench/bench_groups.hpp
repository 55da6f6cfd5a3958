#pragma once

#include "tests/bench/bench_options.hpp"
#include "tests/bench/subject_tree.hpp"
#include "tests/bench/table.hpp"

namespace slipway::bench {

// One group of rows each, in a scratch home of its own. They throw when something that they run
// fails to work.

/// Short commands against /bin/true, and the shared libraries that they load.
void bench_start(const SubjectTree& tree, const BenchOptions& options, Table& table);

/// Apps of 1,000 replicas against a plain loop of posix_spawn.
void bench_launch(const SubjectTree& tree, const BenchOptions& options, Table& table);

/// From the last exit of an app to the return of `slipway wait`.
void bench_wait(const SubjectTree& tree, const BenchOptions& options, Table& table);

/// `slipway list` of 1,000 finished apps.
void bench_list(const SubjectTree& tree, const BenchOptions& options, Table& table);

}  // namespace slipway::bench
