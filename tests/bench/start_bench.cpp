#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

bool expected_everywhere(std::string_view name) {
  for (const char* prefix : {"libc.so", "ld-linux", "linux-vdso"}) {
    if (name.substr(0, std::string_view(prefix).size()) == prefix) return true;
  }
  return false;
}

/// Returns the libraries in the order in which a trace of the dynamic linker initialises them, as
/// traced_libraries() does.
std::vector<std::string> read_trace(const std::string& path) {
  constexpr std::string_view kInit = "calling init: ";
  std::vector<std::string> names;
  std::ifstream file(path);
  bool started = false;
  for (std::string line; std::getline(file, line);) {
    if (line.find("transferring control:") != std::string::npos) started = true;
    const std::size_t at = line.find(kInit);
    if (at == std::string::npos) continue;
    std::string name = line.substr(at + kInit.size());
    name.erase(0, name.rfind('/') + 1);
    if (expected_everywhere(name)) continue;
    if (started) name += " (dlopen)";
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Returns the file names of the shared libraries that a command initialises while it runs, in
/// order, without libc and the dynamic linker. A library that was opened with dlopen() has that
/// word in brackets behind its name. The dynamic linker writes its trace into `scratch_dir`. Throws
/// std::runtime_error if the command fails; returns nothing for a static program.
std::vector<std::string> traced_libraries(const Argv& argv, const std::string& scratch_dir) {
  const std::string prefix = scratch_dir + "/libraries";
  ::setenv("LD_DEBUG", "files", 1);
  ::setenv("LD_DEBUG_OUTPUT", prefix.c_str(), 1);
  ChildProcess child(argv);
  ::unsetenv("LD_DEBUG");
  ::unsetenv("LD_DEBUG_OUTPUT");
  const std::string path = prefix + '.' + std::to_string(child.pid());
  child.wait();
  return read_trace(path);
}

constexpr double kStartLimit = 4;  // times the baseline

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
    table.add(ratio_row_below(command.name, against_true(command.argv), kStartLimit));
    table.note("libraries besides libc: " + listed(traced_libraries(command.argv, home.path())));
  }
}

}  // namespace slipway::bench
