// slipway-bench: what it prints and means is in README.md beside it.
#include <cstdio>
#include <exception>

#include "tests/bench/bench_groups.hpp"

int main(int argc, char** argv) {
  namespace bench = slipway::bench;
  try {
    const bench::BenchOptions options = bench::parse_options(argc, argv);
    const bench::SubjectTree tree(options.tree);
    bench::Table table;
    if (options.wants("start")) bench::bench_start(tree, options, table);
    if (options.wants("launch")) bench::bench_launch(tree, options, table);
    if (options.wants("wait")) bench::bench_wait(tree, options, table);
    if (options.wants("list")) bench::bench_list(tree, options, table);
    std::printf("\n%d over target\n", table.over_count());
    return options.check && table.over_count() > 0 ? 1 : 0;
  } catch (const bench::UsageError& error) {
    std::fprintf(stderr, "slipway-bench: %s\n%s", error.what(), bench::usage_text());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "slipway-bench: %s\n", error.what());
  }
  return 2;
}
