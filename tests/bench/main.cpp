// slipway-bench; README.md explains its output.
#include <cstdio>
#include <exception>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/interruption.hpp"
#include "tests/bench/page_cache.hpp"

int main(int argc, char** argv) {
  namespace bench = slipway::bench;
  bench::catch_signals();
  try {
    const bench::BenchOptions options = bench::parse_options(argc, argv);
    const bench::SubjectTree tree(options.tree);
    const bench::ScratchRoot scratch;
    const bench::BenchRun run{options, tree, scratch};
    bench::Table table;
    bench::print_load();
    bench::reread_from_disk(tree);
    if (options.wants("start")) bench::bench_start(run, table);
    if (options.wants("launch")) bench::bench_launch(run, table);
    if (options.wants("peers")) bench::bench_peers(run, table);
    if (options.wants("wait")) bench::bench_wait(run, table);
    if (options.wants("boundary")) bench::bench_boundary(run, table);
    if (options.wants("parse")) bench::bench_parse(run, table);
    if (options.wants("manifests")) bench::bench_manifests(run, table);
    if (options.wants("list")) bench::bench_list(run, table);
    if (options.wants("log")) bench::bench_log(run, table);
    if (options.wants("scale")) bench::bench_scale(run, table);
    if (options.wants("slurm")) bench::bench_slurm(run, table);
    if (options.wants("components")) bench::bench_components(run, table);
    if (options.wants("docker")) bench::bench_docker(run, table);
    std::printf("\n%d over target\n", table.over_count());
    return options.check && table.over_count() > 0 ? 1 : 0;
  } catch (const bench::UsageError& error) {
    std::fprintf(stderr, "slipway-bench: %s\n%s", error.what(), bench::usage_text());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "slipway-bench: %s\n", error.what());
  }
  return 2;
}
