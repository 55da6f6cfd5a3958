#include <string>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/library_trace.hpp"
#include "tests/bench/scratch_home.hpp"
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

void bench_start(const SubjectTree& tree, const BenchOptions& options, Table& table) {
  const ScratchHome home;
  const int rounds = options.quick ? 3 : 7;
  const int pairs = options.quick ? 10 : 40;
  const auto against_true = [&](const Argv& argv) {
    return compare(
        rounds, pairs, [&] { return timed_run(argv); }, [] { return timed_run({"/bin/true"}); });
  };
  table.heading("start",
                "/bin/true, started the same way (posix_spawn, wait, output to /dev/null)");
  table.add(ratio_row("a static hello", against_true({tree.helper("bench-hello")})));

  const SubjectApp app(tree.slipway(), home.file("start.toml"), {"/bin/true"}, 6);
  const std::string handle = app.start();
  ChildProcess({tree.slipway(), "wait", handle}).wait();
  struct Command {
    std::string name;
    Argv argv;
  };
  const std::vector<Command> commands{
      {"slipway --help", {tree.slipway(), "--help"}},
      {"slipway status H (6 replicas)", {tree.slipway(), "status", handle}},
      {"slipway list -s local_cwd", {tree.slipway(), "list", "-s", "local_cwd"}},
  };
  for (const Command& command : commands) {
    table.add(ratio_row(command.name, against_true(command.argv), kLimit, false));
    table.note("libraries besides libc and libm: " +
               listed(traced_libraries(command.argv, home.path())));
  }
}

}  // namespace slipway::bench
