#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/docker_engine.hpp"

namespace slipway::bench {
namespace {

constexpr int kContainers = 100;
constexpr int kLogMegabytes = 100;
constexpr double kDockerLimit = 1.2;  // times the baseline

/// Writes an app file with one role; `command` is its TOML from `entrypoint` on. Returns the
/// command that submits the app in the host's network, so that no network is created for it.
Argv submission(const BenchRun& run, const ScratchHome& home, const DockerEngine& engine,
                const std::string& command, int replicas) {
  std::ofstream(home.file("app.toml"))
      << "name = \"bench\"\n[[roles]]\nname = \"w\"\nimage = \"" << engine.image() << "\"\n"
      << command << "\nnum_replicas = " << replicas << "\n";
  return {run.tree.slipway(),   "-q", "run", "-d", "-s", "local_docker", "-c", "network=host",
          home.file("app.toml")};
}

void bench_containers(const BenchRun& run, Table& table, const ScratchHome& home,
                      const DockerEngine& engine) {
  const int count = run.options.quick ? kContainers / 5 : kContainers;
  const std::string number = std::to_string(count);
  const Argv submit = submission(run, home, engine, "entrypoint = \"true\"", count);
  const auto slipway = [&] {
    const std::int64_t begin = monotonic_ns();
    const std::string handle = output_of(submit);
    ChildProcess({run.tree.slipway(), "-q", "wait", handle}).wait();
    const double took = static_cast<double>(monotonic_ns() - begin) / 1e6;
    ChildProcess({run.tree.slipway(), "-q", "delete", handle}).wait();
    return took;
  };
  const Argv loop{run.tree.helper("bench-docker-loop"), engine.socket(), engine.image(), number};
  table.heading("docker, " + number + " containers of `true`",
                "a thread for each that creates, starts and waits on the same engine");
  const Comparison result = compare(run.options.quick ? 1 : 3, /*pairs=*/1, slipway,
                                    [&] { return std::stod(output_of(loop)); });
  table.add(ratio_row("slipway run -d and wait", result, kDockerLimit));
}

void bench_container_log(const BenchRun& run, Table& table, const ScratchHome& home,
                         const DockerEngine& engine) {
  constexpr const char* kCurl = "/usr/bin/curl";
  if (::access(kCurl, X_OK) != 0) return table.note("no curl: reading of logs is not measured");
  const int size = run.options.quick ? kLogMegabytes / 10 : kLogMegabytes;
  const std::string command =
      "entrypoint = \"sh\"\nargs = [\"-c\", '''busybox yes $(head -c 99 /dev/zero | tr '\\0' x) | "
      "head -c " +
      std::to_string(size) + "000000''']";
  const std::string handle = output_of(submission(run, home, engine, command, 1));
  ChildProcess({run.tree.slipway(), "-q", "wait", handle}).wait();
  const std::string name = handle.substr(handle.rfind('/') + 1) + "-w-0";
  const Argv curl{kCurl, "-sf", "--unix-socket", engine.socket(),
                  "http://docker/containers/" + name + "/logs?stdout=1&stderr=1&timestamps=1"};
  const Argv log{run.tree.slipway(), "log", handle};
  table.heading("docker, the log of " + std::to_string(size) + " MB of one container",
                "curl on the same endpoint");
  const Comparison result = compare(
      run.options.quick ? 1 : 3, /*pairs=*/1, [&] { return timed_run(log); },
      [&] { return timed_run(curl); });
  table.add(ratio_row("slipway log", result, kDockerLimit));
}

}  // namespace

void bench_docker(const BenchRun& run, Table& table) {
  std::optional<DockerEngine> engine;
  try {
    engine.emplace();
  } catch (const std::runtime_error& error) {
    return table.note(std::string("docker is not measured: ") + error.what());
  }
  const ScratchHome home(run.scratch, "docker");
  ::setenv("DOCKER_HOST", ("unix://" + engine->socket()).c_str(), 1);
  bench_containers(run, table, home, *engine);
  bench_container_log(run, table, home, *engine);
  ::unsetenv("DOCKER_HOST");
}

}  // namespace slipway::bench
