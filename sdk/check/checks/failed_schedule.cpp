#include "sdk/check/checks/failed_schedule.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "sdk/check/checks/sleeper.hpp"
#include "sdk/support/file_text.hpp"

namespace slipway::check {

namespace {

std::set<std::string> files_below(const std::string& directory) {
  std::set<std::string> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, ignored))
    out.insert(entry.path().string());
  return out;
}

// Returns whether the process still runs and is not a zombie ('Z' after the name in /proc).
bool runs(pid_t pid) {
  const std::string stat = file_text("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() && stat[name_end + 2] != 'Z';
}

std::set<pid_t> running_children() {
  std::set<pid_t> out;
  std::ifstream children("/proc/self/task/" + std::to_string(::gettid()) + "/children");
  for (pid_t pid = 0; children >> pid;)
    if (runs(pid)) out.insert(pid);
  return out;
}

// Returns a child that `before` lacks and that does not end soon, or 0.
pid_t lasting_child(const std::set<pid_t>& before, const Trial& trial) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    pid_t found = 0;
    for (const pid_t pid : running_children())
      if (before.count(pid) == 0) found = pid;
    if (found == 0 || milliseconds_since(start) > patience_ms(trial)) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

std::string left_by_failed_schedule(const SchedulerUnderTest& scheduler, const AppDef& app,
                                    slipway_schedule_opts opts) {
  const Trial& trial = scheduler.trial();
  // From here on, processes whose parents have ended become children of this process.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  const std::set<std::string> files = files_below(trial.directory);
  const std::set<pid_t> children = running_children();
  const auto again = scheduler.schedule(app, opts);
  if (again.status >= 0 || again.calls > 0 || again.status == SLIPWAY_E_OUTCOME_UNKNOWN) return {};
  for (const std::string& file : files_below(trial.directory))
    if (files.count(file) == 0) return "the file " + file;
  if (const pid_t pid = lasting_child(children, trial); pid != 0)
    return "the process " + std::to_string(pid);
  return {};
}

}  // namespace slipway::check
