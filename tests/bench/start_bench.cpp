#include <string>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/library_trace.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr double kLimit = 4;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace

void bench_start(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "start");
  const int rounds = run.options.quick ? 3 : 7;
  const int pairs = run.options.quick ? 10 : 40;
  const auto against_true = [&](const Argv& argv) {
    return compare(
        rounds, pairs, [&] { return timed_run(argv); }, [] { return timed_run({"/bin/true"}); });
  };
  table.heading("start",
                "/bin/true, started the same way (posix_spawn, wait, output to /dev/null)");
  table.add(ratio_row("a static hello", against_true({run.tree.helper("bench-hello")})));

  const SubjectApp app(run.tree.slipway(), home.file("start.toml"), {"/bin/true"}, 6);
  const DetachedApp started(app);
  const std::string& handle = started.handle();
  ChildProcess({run.tree.slipway(), "wait", handle}).wait();
  struct Command {
    std::string name;
    Argv argv;
  };
  const std::vector<Command> commands{
      {"slipway --help", {run.tree.slipway(), "--help"}},
      {"slipway status H (6 replicas)", {run.tree.slipway(), "status", handle}},
      {"slipway list -s local_cwd", {run.tree.slipway(), "list", "-s", "local_cwd"}},
  };
  for (const Command& command : commands) {
    table.add(ratio_row(command.name, against_true(command.argv), kLimit, false));
    table.note("libraries besides libc: " + listed(traced_libraries(command.argv, home.path())));
  }
}

}  // namespace slipway::bench
