#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/scratch_home.hpp"
#include "tests/bench/spawn_loop.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr int kReplicas = 1000;
constexpr double kLimit = 1.3;

struct Program {
  std::string name;
  std::string path;
  bool has_target;
};

void bench_program(const SubjectTree& tree, const Program& program, int rounds, Table& table) {
  const ScratchHome home;
  const int window = fastest_window(home.file("windows"), program.path, kReplicas, 3);
  table.heading("launch, " + std::to_string(kReplicas) + " x " + program.name,
                "a posix_spawn loop with at most " + std::to_string(window) +
                    " running (the fastest of 2, 4, 16, 64, 1000) and the same log files");
  SpawnLoop loop(home.file("loop"), program.path, kReplicas, window);
  const SubjectApp app(tree.slipway(), home.file("app.toml"), {program.path}, kReplicas);
  const auto row = [&](const std::string& name, const Measure& subject) {
    const Comparison result = compare(rounds, 1, subject, [&] { return loop.run(); });
    table.add(program.has_target ? ratio_row(name, result, kLimit, true) : ratio_row(name, result));
  };
  row("slipway run -d; slipway wait", [&] {
    const std::int64_t begin = monotonic_ns();
    const std::string handle = app.start();
    ChildProcess wait({tree.slipway(), "wait", handle});
    return static_cast<double>(wait.wait() - begin) / 1e6;
  });
  row("slipway run --no-log", [&] { return timed_run(app.run_argv({"--no-log"})); });
  row("slipway run", [&] { return timed_run(app.run_argv({})); });
}

}  // namespace

void bench_launch(const SubjectTree& tree, const BenchOptions& options, Table& table) {
  const int rounds = options.quick ? 3 : 9;
  bench_program(tree, {"/bin/true", "/bin/true", true}, rounds, table);
  bench_program(tree, {"a no-op without a C library", tree.helper("bench-noop"), false}, rounds,
                table);
}

}  // namespace slipway::bench
