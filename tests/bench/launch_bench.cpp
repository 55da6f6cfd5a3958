#include <fmt/core.h>
#include <stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/cpu_meter.hpp"
#include "tests/bench/peer_launchers.hpp"
#include "tests/bench/spawn_loop.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr int kLaunchedReplicas = 1000;
constexpr int kMany = 10'000;
// Largest ratios to the baseline: with kLaunchedReplicas, one and kMany replicas, and to other
// launchers.
constexpr double kLaunchLimit = 1.0;
constexpr double kOneLimit = 1.5;
// With kMany replicas Slipway has been faster than the loop, and must stay so: the limit is the
// ratio that it reached.
constexpr double kManyLimit = 0.85;
constexpr double kPeerLimit = 1.0;

struct Program {
  std::string label;  // in the name of its scratch home
  std::string name;   // in the heading
  std::string path;
  bool has_target;  // whether the rows of Slipway have one
};

std::vector<Program> programs(const BenchRun& run) {
  return {{"true", "/bin/true", "/bin/true", true},
          {"noop", "a no-op without a C library", run.tree.helper("bench-noop"), false}};
}

/// Returns a measure that does the same, and appends the processor time of all its processes, in
/// milliseconds, to `times`. Leaves out the first call, which compare() does not count.
Measure with_cpu(const Measure& measure, std::vector<double>& times) {
  return [measure, &times, counts = false]() mutable {
    const double before = settled_cpu_ms();
    const double wall = measure();
    const double used = settled_cpu_ms() - before;
    if (std::exchange(counts, true)) times.push_back(used);
    return wall;
  };
}

double run_and_wait(const BenchRun& run, const SubjectApp& app) {
  const std::int64_t begin = monotonic_ns();
  const DetachedApp started(app);
  ChildProcess wait({run.tree.slipway(), "wait", started.handle()});
  return static_cast<double>(wait.wait() - begin) / 1e6;
}

void bench_program(const BenchRun& run, const Program& program, Table& table) {
  const int rounds = run.options.quick ? 3 : 9;
  const ScratchHome home(run.scratch, "launch-" + program.label);
  const int window =
      fastest_window(home.file("windows"), program.path, kLaunchedReplicas, /*rounds=*/3);
  table.heading("launch, " + std::to_string(kLaunchedReplicas) + " x " + program.name,
                "a posix_spawn loop with at most " + std::to_string(window) +
                    " running (the fastest of 2, 4, 16, 64, 1000) and the same log files");
  SpawnLoop loop(home.file("loop"), program.path, kLaunchedReplicas, window);
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), {program.path},
                       kLaunchedReplicas);
  const auto row = [&](const std::string& name, bool has_target, const Measure& subject) {
    std::vector<double> subject_cpu;
    std::vector<double> loop_cpu;
    const Comparison result = compare(rounds, /*pairs=*/1, with_cpu(subject, subject_cpu),
                                      with_cpu([&] { return loop.run(); }, loop_cpu));
    table.add(has_target ? ratio_row(name, result, kLaunchLimit) : ratio_row(name, result));
    table.note(fmt::format("processor time {:.0f} ms against {:.0f} ms: {:.2f}",
                           median(subject_cpu), median(loop_cpu),
                           median(subject_cpu) / median(loop_cpu)));
  };
  SpawnLoop sessions(home.file("sessions"), program.path, kLaunchedReplicas, window,
                     SpawnLoop::Session::kOwn);
  row("the loop, a session per program", false, [&] { return sessions.run(); });
  row("slipway run -d; slipway wait", program.has_target, [&] { return run_and_wait(run, app); });
  row("slipway run --no-log", program.has_target,
      [&] { return timed_run(app.run_argv({"--no-log"})); });
  row("slipway run", program.has_target, [&] { return timed_run(app.run_argv({})); });
}

/// Compares an app of one replica with the three programs that it needs at least.
void bench_one(const BenchRun& run, const std::string& noop, Table& table) {
  const ScratchHome home(run.scratch, "launch-one");
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), {noop}, 1);
  table.heading("launch, one no-op", "a hello world twice, for two commands, and the no-op");
  const Comparison result = compare(
      run.options.quick ? 3 : 9, /*pairs=*/5, [&] { return run_and_wait(run, app); },
      [&] {
        const std::string hello = run.tree.helper("bench-hello-cpp");
        return timed_run({hello}) + timed_run({hello}) + timed_run({noop});
      });
  table.add(ratio_row("slipway run -d; slipway wait", result, kOneLimit));
}

void bench_many(const BenchRun& run, const std::string& noop, Table& table) {
  if (run.options.quick) return;
  const ScratchHome home(run.scratch, "launch-many");
  const int window = fastest_window(home.file("windows"), noop, kLaunchedReplicas, /*rounds=*/3);
  SpawnLoop loop(home.file("loop"), noop, kMany, window);
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), {noop}, kMany);
  table.heading("launch, " + std::to_string(kMany) + " x a no-op without a C library",
                "a posix_spawn loop with at most " + std::to_string(window) +
                    " running and the same log files");
  const Comparison result = compare(
      /*rounds=*/3, /*pairs=*/1, [&] { return run_and_wait(run, app); },
      [&] { return loop.run(); });
  table.add(ratio_row("slipway run -d; slipway wait", result, kManyLimit));
}

/// Ends processes that a peer left running, even if the measurement fails.
class PeerStopper {
 public:
  explicit PeerStopper(const PeerLauncher& peer) : peer_(peer) {}
  PeerStopper(const PeerStopper&) = delete;
  PeerStopper& operator=(const PeerStopper&) = delete;
  ~PeerStopper() {
    if (!peer_.stop.empty()) run_cleanup(peer_.stop);
  }

 private:
  const PeerLauncher& peer_;
};

/// Compares apps of kLaunchedReplicas replicas with other launchers of as many programs, which keep
/// no states or exit codes.
void compare_peers(const BenchRun& run, const Program& program, PeerOutput output, Table& table) {
  const int rounds = run.options.quick ? 1 : 3;
  const bool kept = output == PeerOutput::kKept;
  const ScratchHome home(run.scratch, "peers-" + program.label + (kept ? "-kept" : ""));
  const int window =
      fastest_window(home.file("windows"), program.path, kLaunchedReplicas, /*rounds=*/3);
  table.heading("peers, " + std::to_string(kLaunchedReplicas) + " x " + program.name,
                kept ? "other launchers, with the output of each program in its own files"
                     : "other launchers, which throw all output away");
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), {program.path},
                       kLaunchedReplicas);
  std::vector<std::string> missing;
  int number = 0;
  for (const PeerLauncher& peer : peer_launchers(home.file("peers"), program.path,
                                                 kLaunchedReplicas, window, output, missing)) {
    const PeerStopper stopper(peer);
    ++number;
    std::vector<double> subject_cpu;
    std::vector<double> peer_cpu;
    const Measure measure = [&, round = 0]() mutable {
      const std::string out = home.file(fmt::format("out-{}-{}", number, round++));
      ::setenv("BENCH_OUT", out.c_str(), 1);
      return timed_run(peer.argv);
    };
    const Comparison result =
        compare(rounds, /*pairs=*/1,
                with_cpu([&] { return timed_run(app.run_argv({"--no-log"})); }, subject_cpu),
                with_cpu(measure, peer_cpu));
    table.add(ratio_row("slipway run --no-log : " + peer.name, result, kPeerLimit));
    table.note(fmt::format("processor time {:.0f} ms against {:.0f} ms: {:.2f}",
                           median(subject_cpu), median(peer_cpu),
                           median(subject_cpu) / median(peer_cpu)));
  }
  for (const std::string& name : missing) table.note(name + ": not installed");
}

}  // namespace

void bench_launch(const BenchRun& run, Table& table) {
  become_subreaper();
  for (const Program& program : programs(run)) bench_program(run, program, table);
  const std::string noop = run.tree.helper("bench-noop");
  bench_one(run, noop, table);
  bench_many(run, noop, table);
}

void bench_peers(const BenchRun& run, Table& table) {
  become_subreaper();
  for (const Program& program : programs(run)) {
    compare_peers(run, program, PeerOutput::kDropped, table);
    compare_peers(run, program, PeerOutput::kKept, table);
  }
}

}  // namespace slipway::bench
