#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/interruption.hpp"
#include "tests/bench/process_probe.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

/// Programs that each lead a process session. The destructor kills and reaps those that still run.
class Sessions {
 public:
  Sessions() = default;
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;
  ~Sessions() {
    end(SIGKILL);
    reap();
  }

  void start(const std::string& program) {
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    char* argv[] = {const_cast<char*>(program.c_str()), nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, argv[0], nullptr, &attributes, argv, environ);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0)
      throw std::system_error(error, std::generic_category(), "cannot start " + program);
    pids_.push_back(pid);
  }

  /// Sends `signal` to the process group of each program.
  void end(int signal) const {
    for (const pid_t pid : pids_) ::kill(-pid, signal);
  }

  void reap() {
    for (const pid_t pid : pids_) {
      while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    pids_.clear();
  }

 private:
  std::vector<pid_t> pids_;
};

/// Measures the baseline of cancelling: starts `program` `count` times, each as leader of a process
/// session, and returns how many milliseconds a plain loop takes to end them with SIGTERM and to
/// reap them. Leaves no process behind. Throws std::system_error.
double kill_and_reap(const std::string& program, int count) {
  Sessions sessions;
  for (int i = 0; i < count; ++i) sessions.start(program);
  const std::int64_t begin = monotonic_ns();
  sessions.end(SIGTERM);
  sessions.reap();
  return static_cast<double>(monotonic_ns() - begin) / 1e6;
}

constexpr int kStartedReplicas = 10'000;
constexpr double kStatusLimit = 2;  // times the baseline
constexpr double kTakeOverLimitMs = 20;
constexpr double kCancelLimitMs = 500;
constexpr long kMemoryLimitKb = 3 * 1024;
constexpr long kDescriptorLimit = 32;
constexpr std::chrono::milliseconds kScaleSettle{200};  // in which the helpers end their last work
constexpr std::chrono::seconds kIdle{3};                // the measured time without any work
constexpr std::chrono::seconds kPatience{300};          // after which the measurement fails

Row plain_row(std::string name, double value, std::string unit, std::string target, bool over) {
  return {std::move(name), value, {}, {}, std::move(target), over, std::move(unit)};
}

std::int64_t realtime_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Returns the pids of warden and supervisor.
std::vector<pid_t> helpers(const ScratchHome& home) {
  return listener_with_children(home.file_of_app("ctl.sock"));
}

/// Waits until the journal `path` has as many lines with `word` as the app has replicas. Returns
/// the time in the last of these lines, in nanoseconds since 1970.
std::int64_t last_of_all(const std::string& path, const std::string& word) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    fail_if_interrupted();
    std::ifstream file(path);
    int count = 0;
    std::string last;
    for (std::string line; std::getline(file, line);) {
      if (line.find(word) == std::string::npos) continue;
      ++count;
      last = line;
    }
    if (count >= kStartedReplicas) {
      // A line begins with its checksum, its number and the time.
      const std::size_t time = last.find(' ', last.find(' ') + 1);
      return std::stoll(last.substr(time + 1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw std::runtime_error("not all replicas are" + word + "in time");
}

void bench_idle(const ScratchHome& home, Table& table) {
  const std::vector<pid_t> pids = helpers(home);
  if (pids.size() != 2) throw std::runtime_error("supervisor and warden were not found");
  long memory = 0;
  long descriptors = 0;
  std::int64_t wake_ups = 0;
  // The connection that found the processes has woken them.
  std::this_thread::sleep_for(kScaleSettle);
  for (const pid_t pid : pids) wake_ups -= facts_of(pid).wake_ups;
  std::this_thread::sleep_for(kIdle);
  for (const pid_t pid : pids) {
    const ProcessFacts facts = facts_of(pid);
    memory += facts.private_kb;
    descriptors += facts.descriptors;
    wake_ups += facts.wake_ups;
  }
  table.add(plain_row("private memory of supervisor and warden", static_cast<double>(memory), "KiB",
                      "<= 3 MiB", memory > kMemoryLimitKb));
  table.add(plain_row("descriptors of both", static_cast<double>(descriptors), "", "<= 32",
                      descriptors > kDescriptorLimit));
  table.add(plain_row("wake-ups in 3 s", static_cast<double>(wake_ups), "", "0", wake_ups != 0));
}

/// Kills a process and waits until it is dead, when its children have another parent.
void kill_and_wait(pid_t pid) {
  const OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd death{process.get(), POLLIN, 0};
  if (!process || ::kill(pid, SIGKILL) != 0 || ::poll(&death, 1, -1) != 1)
    throw std::runtime_error("the supervisor cannot be killed");
}

void bench_take_over(const ScratchHome& home, Table& table) {
  const std::vector<pid_t> pids = helpers(home);
  const std::string events = home.file_of_app("events.log");
  if (pids.size() != 2) throw std::runtime_error("the supervisor was not found");
  const auto milliseconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; };
  const std::int64_t killed = realtime_ns();
  kill_and_wait(pids.back());
  const std::int64_t dead = realtime_ns();
  const double taken = milliseconds(last_of_all(events, " ADOPTED ") - dead);
  table.add(plain_row("supervisor killed: until it is dead", milliseconds(dead - killed), "ms", "",
                      false));
  table.add(plain_row("... until all replicas are taken over", taken, "ms", "<= 20 ms",
                      taken > kTakeOverLimitMs));
}

/// Measures the time from the start of `cancel` until no process of the app runs.
void bench_cancel(const BenchRun& run, const DetachedApp& app, Table& table) {
  const std::int64_t begin = monotonic_ns();
  ChildProcess({run.tree.slipway(), "cancel", app.handle()}).wait();
  const Argv state{run.tree.slipway(), "wait", "--for", "CANCELLED", app.handle()};
  const double taken = static_cast<double>(ChildProcess(state).wait() - begin) / 1e6;
  const double floor = kill_and_reap(run.tree.helper("bench-idle"), kStartedReplicas);
  Row row =
      plain_row("slipway cancel; slipway wait", taken, "ms", "<= 500 ms", taken > kCancelLimitMs);
  row.baseline = floor;
  row.ratio = fmt::format("{:.2f}", taken / floor);
  table.add(row);
  table.note("its baseline is a loop that kills as many sessions and reaps them");
}

}  // namespace

void bench_scale(const BenchRun& run, Table& table) {
  if (run.options.quick) return;
  const ScratchHome home(run.scratch, "scale");
  const SubjectApp definition(run.tree.slipway(), home.file("app.toml"),
                              {run.tree.helper("bench-idle")}, kStartedReplicas);
  table.heading("scale, one app of " + std::to_string(kStartedReplicas) + " replicas",
                "a hello world that is linked as slipway is");
  {
    const DetachedApp app(definition);
    last_of_all(home.file_of_app("events.log"), " RUNNING ");
    const Comparison status = compare(
        /*rounds=*/9, /*pairs=*/20,
        [&] {
          return timed_run({run.tree.slipway(), "status", app.handle()});
        },
        [&] { return timed_run({run.tree.helper("bench-hello-cpp")}); });
    table.add(ratio_row("slipway status", status, kStatusLimit));
    bench_idle(home, table);
    bench_cancel(run, app, table);
  }
  // Uses a separate app: a successor has read every process in /proc, which makes their ends
  // slower.
  const ScratchHome other(run.scratch, "scale-take-over");
  const DetachedApp app(definition);
  last_of_all(other.file_of_app("events.log"), " RUNNING ");
  bench_take_over(other, table);
  ChildProcess({run.tree.slipway(), "cancel", app.handle()}).wait();
}

}  // namespace slipway::bench
