#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/process_probe.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kFiles = 128;
constexpr int kLinesPerFile = 20'000;  // each of 100 bytes
constexpr int kWriters = 1000;
constexpr int kLinesPerWriter = 2'000;
constexpr int kManyLines = 100'000'000;
constexpr std::chrono::milliseconds kSettle{200};    // until the app has started
constexpr std::chrono::milliseconds kWriting{1000};  // the measured time
constexpr double kCatLimit = 1.33;                   // three quarters of the speed of cat
constexpr double kGrepLimit = 1;
constexpr double kFollowLimit = 1.1;
// One of 18 lines of bench-writer matches.
constexpr const char* kPattern = "ERROR 1[0-9]*7\\b";

Argv writer(const BenchRun& run, int lines) {
  return {run.tree.helper("bench-writer"), std::to_string(lines)};
}

/// Returns `words` followed by the stdout.log files below `directory`.
Argv with_logs(Argv words, const std::string& directory) {
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().filename() == "stdout.log") words.push_back(entry.path().string());
  }
  return words;
}

/// Returns the wall time of a command in milliseconds. Reads its output from a pipe, because grep
/// stops at the first match if its output is /dev/null.
double piped_run(const Argv& argv) {
  const std::int64_t begin = monotonic_ns();
  output_of(argv);
  return static_cast<double>(monotonic_ns() - begin) / 1e6;
}

void bench_reading(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "log-read");
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), writer(run, kLinesPerFile),
                       kFiles);
  // Uses the handle, because @last asks every scheduler, and Slurm's runs other programs.
  const DetachedApp written(app);
  ChildProcess({run.tree.slipway(), "wait", written.handle()}).wait();
  table.heading("log, " + std::to_string(kFiles) + " files of 2 MB",
                "cat or grep -cP of the same files");
  const int rounds = run.options.quick ? 3 : 9;
  const Argv log{run.tree.slipway(), "log", "--stream", "stdout", written.handle()};
  const Argv cat = with_logs({"/bin/cat"}, home.path());
  if (cat.size() != kFiles + 1) throw std::runtime_error("the logs to read are not there");
  const auto row = [&](const char* name, const Argv& more, const Argv& baseline, double limit,
                       double (*timed)(const Argv&)) {
    Argv argv = log;
    argv.insert(argv.end(), more.begin(), more.end());
    const Comparison result = compare(
        rounds, /*pairs=*/3, [&] { return timed(argv); }, [&] { return timed(baseline); });
    table.add(ratio_row(name, result, limit));
  };
  row("slipway log, a prefix on each line", {}, cat, kCatLimit, &timed_run);
  row("slipway log --no-prefix", {"--no-prefix"}, cat, kCatLimit, &timed_run);
  // With -c, grep prints only a number, so that the baseline is the search alone.
  row("slipway log --regex", {"--regex", kPattern},
      with_logs({"/bin/grep", "-chP", kPattern}, home.path()), kGrepLimit, &piped_run);
}

/// Measures the time of writers with and without a follower.
void bench_following(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "log-follow");
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), writer(run, kLinesPerWriter),
                       kWriters);
  table.heading("log -f, " + std::to_string(kWriters) + " replicas write 200 kB each in lines",
                "the same app without a follower");
  // The baseline starts /bin/true in place of the follower.
  const auto until_the_end = [&](const std::string& follower_program) {
    const std::int64_t begin = monotonic_ns();
    const DetachedApp started(app);
    ChildProcess follower({follower_program, "log", "-f", started.handle()});
    ChildProcess wait({run.tree.slipway(), "wait", started.handle()});
    const double taken = static_cast<double>(wait.wait() - begin) / 1e6;
    follower.wait();
    return taken;
  };
  const Comparison result = compare(
      run.options.quick ? 3 : 7, /*pairs=*/1, [&] { return until_the_end(run.tree.slipway()); },
      [&] { return until_the_end("/bin/true"); });
  table.add(ratio_row("until the app has ended", result, kFollowLimit));
}

/// Returns the size of the stdout.log files below `directory`.
std::uintmax_t bytes_below(const std::string& directory) {
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().filename() == "stdout.log") sum += entry.file_size();
  }
  return sum;
}

/// Measures the work of warden and supervisor for a replica whose output is not combined. The
/// replica writes to its files itself, so these two must not run at all.
void bench_uncombined(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "log-apart");
  const SubjectApp app(run.tree.slipway(), home.file("app.toml"), writer(run, kManyLines), 1);
  table.heading("log_combined=false, a replica writes all the time", "none");
  const DetachedApp started(app, {"-c", "log_combined=false"});
  // The warden, which made the socket, and its only child, the supervisor. Their times count
  // together.
  const std::vector<pid_t> helpers = listener_with_children(home.file_of_app("ctl.sock"));
  std::this_thread::sleep_for(kSettle);
  const auto cpu_ns = [&] {
    std::int64_t sum = 0;
    for (const pid_t pid : helpers) sum += facts_of(pid).cpu_ns;
    return sum;
  };
  const std::int64_t cpu_before = cpu_ns();
  const std::uintmax_t bytes_before = bytes_below(home.path());
  std::this_thread::sleep_for(kWriting);
  const double spent = static_cast<double>(cpu_ns() - cpu_before) / 1e6;
  const double written = static_cast<double>(bytes_below(home.path()) - bytes_before) / 1e9;
  ChildProcess({run.tree.slipway(), "cancel", "--now", started.handle()}).wait();
  if (helpers.size() != 2) throw std::runtime_error("the app has no supervisor or no warden");
  if (written == 0) throw std::runtime_error("the replica did not write");
  table.add({"processor time of warden and supervisor per GB",
             spent / written,
             {},
             {},
             /*target=*/"0",
             /*over=*/spent > 0});
}

}  // namespace

void bench_log(const BenchRun& run, Table& table) {
  bench_reading(run, table);
  bench_following(run, table);
  bench_uncombined(run, table);
}

}  // namespace slipway::bench
