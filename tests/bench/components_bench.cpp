#include <stdlib.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"

namespace slipway::bench {
namespace {

// A dry run may take kComponentsLimit times as long as the baseline, and kComponentsLimitMs more.
constexpr double kComponentsLimit = 1.3;
constexpr double kComponentsLimitMs = 10;
constexpr double kCompletionLimitMs = 50;

/// Returns the path of the Python that components run with, or an empty text.
std::string python() {
  try {
    return output_of({"/usr/bin/env", "python3", "-c", "import sys; print(sys.executable)"});
  } catch (const std::exception&) {
    return {};
  }
}

void write_component(const std::string& path) {
  std::ofstream(path) << "import torchx.specs as specs\n\n\n"
                         "def f(number: int = 1) -> specs.AppDef:\n"
                         "    role = specs.Role('r', image='', entrypoint='true')\n"
                         "    return specs.AppDef('a', [role])\n";
}

Row run_row(std::string name, const Comparison& result) {
  Row row = ratio_row(std::move(name), result);
  row.target = "<= 1.3x + 10 ms";
  row.over = result.subject > kComponentsLimit * result.baseline + kComponentsLimitMs;
  return row;
}

Row completion_row(std::string name, const Comparison& result) {
  Row row = ratio_row(std::move(name), result);
  row.target = "< 50 ms";
  row.over = result.subject >= kCompletionLimitMs;
  return row;
}

}  // namespace

void bench_components(const BenchRun& run, Table& table) {
  table.heading("components", "Python that imports Slipway's torchx.specs");
  const std::string interpreter = python();
  if (interpreter.empty()) {
    table.note("skipped: there is no python3");
    return;
  }
  const ScratchHome home(run.scratch, "components");
  ::setenv("SLIPWAY_PYTHON", interpreter.c_str(), 1);
  ::unsetenv("PYTHONDONTWRITEBYTECODE");
  write_component(home.file("comp.py"));
  // The baseline keeps bytecode, like the plug-in, but not in the measured tree.
  const Argv shim{
      interpreter, "-X", "pycache_prefix=" + home.file("bytecode"), "-c",
      "import sys\nsys.path[0] = '" + run.tree.python_files() + "'\nimport torchx.specs"};
  const int rounds = run.options.quick ? 3 : 7;
  const int pairs = run.options.quick ? 3 : 10;
  const auto against_shim = [&](const Argv& words) {
    Argv argv{run.tree.slipway()};
    argv.insert(argv.end(), words.begin(), words.end());
    return compare(
        rounds, pairs, [&] { return timed_run(argv); }, [&] { return timed_run(shim); });
  };
  for (const char* name : {"comp.py:f", "comp:f"}) {  // by file and by module
    const std::string component = name;
    table.add(run_row("run -n " + component, against_shim({"run", "-n", component})));
    table.add(completion_row("completion, " + component + " --n",
                             against_shim({"__complete", "words", "run", component, "--n"})));
  }
  table.add(
      completion_row("completion of names", against_shim({"__complete", "words", "run", ""})));
  ::unsetenv("SLIPWAY_PYTHON");
}

}  // namespace slipway::bench
