#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/sample_series.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr double kWaitLimitMs = 5;     // of the quantile 0.99
constexpr double kUsualLimitMs = 0.5;  // of the median
/// Long enough for `slipway wait` to block; no event reports that it has.
constexpr std::chrono::milliseconds kWaitSettle{30};

std::int64_t read_stamp(const std::string& path) {
  std::int64_t stamp = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&stamp), sizeof stamp);
  if (!file) throw std::runtime_error("the replica did not write " + path);
  return stamp;
}

/// Releases the replica that waits for this FIFO. Blocks until it waits.
void release(const std::string& fifo) {
  const int fd = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot open " + fifo);
  ::close(fd);
}

/// The time from the end of a replica until a command had printed it, and until the command had
/// ended.
struct Latency {
  double printed_ms = 0;
  double ended_ms = 0;
};

struct LatencySeries {
  std::vector<double> printed;
  std::vector<double> ended;
  void add(const Latency& latency) {
    printed.push_back(latency.printed_ms);
    ended.push_back(latency.ended_ms);
  }
};

/// Starts `command`, which waits for the end of the replica and then prints a text. Releases the
/// replica, which waits for `fifo` and writes the time of its end to the file `stamp`.
Latency report_latency(const Argv& command, const std::string& fifo, const std::string& stamp) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  const OwnedFd answer(ends[0]);
  OwnedFd output(ends[1]);
  ChildProcess waiter(command, output.get());
  output.reset();
  std::this_thread::sleep_for(kWaitSettle);
  release(fifo);
  char text[256];
  const bool printed = ::read(answer.get(), text, sizeof text) > 0;
  const std::int64_t printed_ns = monotonic_ns();
  const std::int64_t ended_ns = waiter.wait();
  if (!printed) throw std::runtime_error(command.front() + " printed nothing");
  const std::int64_t exited_ns = read_stamp(stamp);
  const auto after = [&](std::int64_t ns) { return static_cast<double>(ns - exited_ns) / 1e6; };
  return {after(printed_ns), after(ended_ns)};
}

/// Returns a row of the quantile `share` of both series; `limit_ms` 0 means without a target.
Row quantile_row(const std::string& name, double share, const std::vector<double>& subject,
                 const std::vector<double>& floor, double limit_ms) {
  const double taken = quantile(subject, share);
  const double least = quantile(floor, share);
  return {name,
          taken,
          least,
          fmt::format("{:.2f}", taken / least),
          limit_ms > 0 ? fmt::format("<= {} ms", limit_ms) : std::string(),
          limit_ms > 0 && taken > limit_ms};
}

}  // namespace

void bench_wait(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "wait");
  const std::string fifo = home.file("go");
  const std::string stamp = home.file("stamp");
  if (::mkfifo(fifo.c_str(), 0600) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot create " + fifo);
  const Argv replica{run.tree.helper("bench-stamp"), fifo, stamp};
  const SubjectApp definition(run.tree.slipway(), home.file("wait.toml"), replica, 1);
  Argv chain = replica;
  chain.insert(chain.begin(), run.tree.helper("bench-chain"));
  LatencySeries subject;
  LatencySeries floor;
  for (int i = 0; i < (run.options.quick ? 40 : 200); ++i) {
    const DetachedApp app(definition);
    subject.add(report_latency({run.tree.slipway(), "wait", app.handle()}, fifo, stamp));
    floor.add(report_latency(chain, fifo, stamp));
  }
  table.heading("wait, from the last replica's exit to the end of `slipway wait`",
                "a process that reaps another and notifies a third, which prints a word");
  const auto& ended = subject.ended;
  table.add(quantile_row("p50 of " + std::to_string(ended.size()), 0.5, ended, floor.ended,
                         kUsualLimitMs));
  table.add(quantile_row("p99", 0.99, ended, floor.ended, kWaitLimitMs));
  table.add(quantile_row("slowest", 1, ended, floor.ended, 0));
  table.add(
      quantile_row("p50 until it has printed the end", 0.5, subject.printed, floor.printed, 0));
}

}  // namespace slipway::bench
