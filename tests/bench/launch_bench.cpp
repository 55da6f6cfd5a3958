#include <fmt/core.h>

#include <string>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/cpu_meter.hpp"
#include "tests/bench/spawn_loop.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr int kReplicas = 1000;
constexpr double kLimit = 1.3;

struct Program {
  std::string label;
  std::string name;
  std::string path;
  bool has_target;
};

/// The same measurement, with the processor time of everything that it ran added to `times`.
Measure with_cpu(const Measure& measure, std::vector<double>& times) {
  return [measure, &times] {
    const double before = settled_cpu_ms();
    const double wall = measure();
    times.push_back(settled_cpu_ms() - before);
    return wall;
  };
}

void bench_program(const BenchRun& run, const Program& program, Table& table) {
  const int rounds = run.options.quick ? 3 : 9;
  const ScratchHome home(run.scratch, "launch-" + program.label);
  const int window = fastest_window(home.file("windows"), program.path, kReplicas, 3);
  table.heading("launch, " + std::to_string(kReplicas) + " x " + program.name,
                "a posix_spawn loop with at most " + std::to_string(window) +
                    " running (the fastest of 2, 4, 16, 64, 1000) and the same log files");
  SpawnLoop loop(home.file("loop"), program.path, kReplicas, window);
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), {program.path}, kReplicas);
  const auto row = [&](const std::string& name, bool has_target, const Measure& subject) {
    std::vector<double> subject_cpu;
    std::vector<double> loop_cpu;
    const Comparison result = compare(rounds, 1, with_cpu(subject, subject_cpu),
                                      with_cpu([&] { return loop.run(); }, loop_cpu));
    table.add(has_target ? ratio_row(name, result, kLimit, true) : ratio_row(name, result));
    table.note(fmt::format("processor time {:.0f} ms against {:.0f} ms: {:.2f}",
                           median(subject_cpu), median(loop_cpu),
                           median(subject_cpu) / median(loop_cpu)));
  };
  SpawnLoop sessions(home.file("sessions"), program.path, kReplicas, window,
                     SpawnLoop::Session::kOwn);
  row("the loop, a session per program", false, [&] { return sessions.run(); });
  row("slipway run -d; slipway wait", program.has_target, [&] {
    const std::int64_t begin = monotonic_ns();
    const DetachedApp started(app);
    ChildProcess wait({run.tree.slipway(), "wait", started.handle()});
    return static_cast<double>(wait.wait() - begin) / 1e6;
  });
  row("slipway run --no-log", program.has_target,
      [&] { return timed_run(app.run_argv({"--no-log"})); });
  row("slipway run", program.has_target, [&] { return timed_run(app.run_argv({})); });
}

}  // namespace

void bench_launch(const BenchRun& run, Table& table) {
  adopt_orphans();
  bench_program(run, {"true", "/bin/true", "/bin/true", true}, table);
  bench_program(run, {"noop", "a no-op without a C library", run.tree.helper("bench-noop"), false},
                table);
}

}  // namespace slipway::bench
