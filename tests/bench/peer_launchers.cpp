#include "tests/bench/peer_launchers.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace slipway::bench {
namespace {

/// Returns the path of a program on PATH, or an empty text if it is not there.
std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string file = directory + '/' + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::system_error(errno, std::generic_category(), path);
}

/// Returns a shell command that runs `program` with its output in files of `directory`.
std::string with_output_in(const std::string& directory, const std::string& program) {
  return fmt::format("mkdir -p \"{0}\" && exec {1} >\"{0}/stdout.log\" 2>\"{0}/stderr.log\"",
                     directory, program);
}

}  // namespace

std::vector<PeerLauncher> peer_launchers(const std::string& dir, const std::string& program,
                                         int count, int window, PeerOutput output,
                                         std::vector<std::string>& missing) {
  const bool kept = output == PeerOutput::kKept;
  std::filesystem::create_directories(dir + "/state");
  std::string numbers;
  std::string makefile = ".PHONY: all\nall:";
  std::string rules;
  std::string ninja = "builddir = " + dir + "/state\nrule run\n  command = " +
                      (kept ? with_output_in("$$BENCH_OUT/$id", program) : program) + "\n";
  for (int i = 0; i < count; ++i) {
    numbers += fmt::format("{}\n", i);
    makefile += fmt::format(" t{}", i);
    rules +=
        fmt::format(".PHONY: t{0}\nt{0}:\n\t@{1}\n", i,
                    kept ? with_output_in(fmt::format("$$BENCH_OUT/{}", i), program) : program);
    // No command creates its output file, so ninja runs every command in each round.
    ninja += fmt::format("build {0}/none{1}: run\n  id = {1}\n", dir, i);
  }
  write_file(dir + "/numbers", numbers);
  write_file(dir + "/Makefile", makefile + '\n' + rules);
  write_file(dir + "/build.ninja", ninja);
  // Jobs start in order and take equally long, so when the last `window` jobs have ended, all have.
  // -K ends the server of this socket.
  write_file(
      dir + "/spool.sh",
      fmt::format("set -e\nexport TS_SOCKET={0}/spool TMPDIR={0}/state TS_MAXFINISHED={2}\n"
                  "$1 -S {1}\ni=0\nwhile [ $i -lt {2} ]; do $1 {5} {3} >{0}/job; i=$((i+1)); done\n"
                  "while [ $i -gt {4} ]; do i=$((i-1)); $1 -w $i; done\n$1 -K\n",
                  dir, window, count, program, count > window ? count - window : 0,
                  kept ? "" : "-n"));

  const std::string jobs = std::to_string(window);
  const std::string list = dir + "/numbers";
  std::vector<PeerLauncher> out;
  // Adds a launcher whose command line is `before`, the path of `binary` and `after`; with
  // `binary_last` the path comes last.
  const auto add = [&](const std::string& binary, const std::string& name, Argv before,
                       const Argv& after, bool binary_last = false) {
    const std::string path = on_path(binary);
    if (path.empty()) return missing.push_back(name);
    if (!binary_last) before.push_back(path);
    before.insert(before.end(), after.begin(), after.end());
    if (binary_last) before.push_back(path);
    out.push_back({name, std::move(before), {}});
  };
  add("xargs", "xargs -P " + jobs, {},
      kept ? Argv{"-a", list, "-n", "1", "-P", jobs, "/bin/sh", "-c",
                  with_output_in("$BENCH_OUT/$0", program)}
           : Argv{"-a", list, "-n", "1", "-P", jobs, program});
  add("make", "make -j " + jobs, {}, {"-s", "-j", jobs, "-f", dir + "/Makefile"});
  add("ninja", "ninja -j " + jobs, {}, {"--quiet", "-j", jobs, "-f", dir + "/build.ninja"});
  add("parallel", "GNU parallel -j " + jobs, {"/usr/bin/env", "PARALLEL_HOME=" + dir + "/state"},
      {"--will-cite", "-j", jobs, "-a", list,
       kept ? with_output_in("$BENCH_OUT/{}", program) : program});
  const std::size_t others = out.size();
  add("tsp", "task-spooler -S " + jobs, {"/bin/sh", dir + "/spool.sh"}, {},
      /*binary_last=*/true);
  if (out.size() > others) {
    out.back().stop = {"/usr/bin/env", "TS_SOCKET=" + dir + "/spool", out.back().argv.back(), "-K"};
  }
  return out;
}

}  // namespace slipway::bench
