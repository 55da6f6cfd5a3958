#include <fcntl.h>
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

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/sample_series.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr double kLimitMs = 5;
constexpr double kUsualLimitMs = 0.5;
/// Long enough for `slipway wait` to have blocked: nothing outside tells that it has.
constexpr std::chrono::milliseconds kSettle{30};

std::int64_t read_stamp(const std::string& path) {
  std::int64_t stamp = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&stamp), sizeof stamp);
  if (!file) throw std::runtime_error("the replica did not write " + path);
  return stamp;
}

/// Lets the replica that waits for this FIFO go. Blocks until it does wait.
void release(const std::string& fifo) {
  const int fd = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot open " + fifo);
  ::close(fd);
}

}  // namespace

void bench_wait(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "wait");
  const std::string fifo = home.file("go");
  const std::string stamp = home.file("stamp");
  if (::mkfifo(fifo.c_str(), 0600) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot create " + fifo);
  const SubjectApp definition(run.tree.slipway(), home.file("wait.toml"),
                              {run.tree.helper("bench-stamp"), fifo, stamp}, 1);
  std::vector<double> times;
  for (int i = 0; i < (run.options.quick ? 40 : 200); ++i) {
    const DetachedApp app(definition);
    ChildProcess wait({run.tree.slipway(), "wait", app.handle()});
    std::this_thread::sleep_for(kSettle);
    release(fifo);
    times.push_back(static_cast<double>(wait.wait() - read_stamp(stamp)) / 1e6);
  }
  table.heading("wait", "none; from the last replica's exit to the end of `slipway wait`");
  const double p50 = quantile(times, 0.5);
  table.add(
      {"p50 of " + std::to_string(times.size()), p50, {}, {}, "<= 0.5 ms", p50 > kUsualLimitMs});
  const double p99 = quantile(times, 0.99);
  table.add({"p99", p99, {}, {}, "<= 5 ms", p99 > kLimitMs});
  table.add({"slowest", quantile(times, 1), {}, {}, {}, false});
}

}  // namespace slipway::bench
