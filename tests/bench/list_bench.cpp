#include <stdlib.h>

#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr int kApps = 1000;
constexpr double kListLimitMs = 5;  // more than the baseline

/// Returns the wall time of a command with this state directory, in milliseconds.
double timed_in(const std::string& state, const Argv& argv) {
  ::setenv("XDG_STATE_HOME", state.c_str(), 1);
  return timed_run(argv);
}

}  // namespace

void bench_list(const BenchRun& run, Table& table) {
  if (run.options.quick) return;
  const ScratchHome home(run.scratch, "list");
  const SubjectApp app(run.tree.slipway(), home.file("list.toml"), {run.tree.helper("bench-noop")},
                       1);
  for (int i = 0; i < kApps; ++i) ChildProcess(app.run_argv({"-q", "--no-log"})).wait();
  table.heading("list, " + std::to_string(kApps) + " finished apps",
                "the same command where there are no apps");
  for (const char* const one : {"", "--all", "-s"}) {
    const std::string option = one;
    Argv argv{run.tree.slipway(), "list"};
    if (!option.empty()) argv.push_back(option);
    if (option == "-s") argv.push_back("local_cwd");
    const Comparison result = compare(
        /*rounds=*/7, /*pairs=*/10, [&] { return timed_in(home.path(), argv); },
        [&] { return timed_in(home.file("none"), argv); });
    Row row = ratio_row("slipway list " + option + (option == "-s" ? " local_cwd" : ""), result);
    row.target = "+ 5 ms";
    row.over = result.subject - result.baseline > kListLimitMs;
    table.add(row);
  }
}

}  // namespace slipway::bench
