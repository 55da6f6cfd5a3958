#include "plugins/local/supervisor/spawning/replica_cgroups.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/process_handle.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::local {
namespace {

/// Period in which a replica may use its CPU time, in microseconds; the kernel's default.
constexpr std::int64_t kPeriodUs = 100'000;

/// Writes to an existing file: the files of a cgroup cannot be made.
bool put(const std::string& path, const std::string& text) {
  const OwnedFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file) errno = 0;  // a short write has no errno
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Writes to a file that not every kernel has. Returns true if it is missing.
bool put_if_present(const std::string& path, const std::string& text) {
  return put(path, text) || errno == ENOENT;
}

/// Returns the number after `key` in lines of `key number`; 0 if no line has the key.
std::int64_t number_of(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.size() <= key.size() + 1 || line.substr(0, key.size()) != key ||
        line[key.size()] != ' ')
      continue;
    line.remove_prefix(key.size() + 1);
    return take_plain_number<std::int64_t>(line).value_or(0);
  }
  return 0;
}

/// Returns whether `pids`, the text of a cgroup.procs, lists `pid`.
bool lists(std::string_view pids, std::string_view pid) {
  const std::string lines = '\n' + std::string(pids);
  return lines.find('\n' + std::string(pid) + '\n') != std::string::npos;
}

/// Calls `each` with the paths of the directories in `dir`.
template <typename F>
void for_each_child(const std::string& dir, F each) {
  const DirectoryStream open(::opendir(dir.c_str()));
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.') each(dir + '/' + entry->d_name);
  }
}

/// Sends SIGKILL to every process in the cgroup `dir`. Where the kernel has cgroup.kill, that
/// includes processes that begin meanwhile, and the result is empty. Elsewhere returns the killed
/// processes, so that the caller can wait for them and look again.
std::vector<ProcessHandle> kill_in(const std::string& dir) {
  std::vector<ProcessHandle> killed;
  if (put(dir + "/cgroup.kill", "1")) return killed;
  const std::string procs = dir + "/cgroup.procs";
  const std::string pids = kernel_file(procs);
  for (std::size_t at = 0; at < pids.size();) {
    const std::size_t end = std::min(pids.find('\n', at), pids.size());
    const std::string_view line = std::string_view(pids).substr(at, end - at);
    const pid_t pid = plain_number<pid_t>(line).value_or(0);
    at = end + 1;
    // 0: a process that this PID namespace does not show. 1 is the namespace's own init.
    if (pid <= 1) continue;
    ProcessHandle process(pid, [&] { return lists(kernel_file(procs), line); });
    if (process.send(SIGKILL)) killed.push_back(std::move(process));
  }
  return killed;
}

/// Sends SIGKILL to every process in the cgroup `dir` and the cgroups below it.
void kill_below(const std::string& dir) {
  kill_in(dir);
  for_each_child(dir, kill_below);
}

/// Removes the cgroup `dir` and the cgroups below it, which the replica has made. Sends SIGKILL to
/// the processes in them. Returns false with errno EBUSY if a process has not ended yet. Returns
/// true for any other failure, which the caller's mkdir() then reports.
bool remove_or_kill(const std::string& dir) {
  for_each_child(dir, remove_or_kill);
  if (::rmdir(dir.c_str()) == 0 || errno != EBUSY) return true;
  kill_in(dir);
  return errno = EBUSY, false;
}

/// Removes the cgroup `dir` and the cgroups below it. Kills the processes in each, and waits up to
/// a second until it is empty. A cgroup v2 reports that in cgroup.events. v1 has no such report, so
/// waits there for the ends of the killed processes: a process leaves its cgroup before its end is
/// reported.
void empty_and_remove(const std::string& dir) {
  for_each_child(dir, empty_and_remove);
  constexpr std::int64_t kLongestWaitMs = 1000;
  const std::int64_t until_ns = boottime_ns() + kLongestWaitMs * 1'000'000;
  const std::string state = dir + "/cgroup.events";
  const OwnedFd events(::open(state.c_str(), O_RDONLY | O_CLOEXEC));
  while (::rmdir(dir.c_str()) != 0 && errno == EBUSY) {
    const auto left_ms = [&] { return static_cast<int>((until_ns - boottime_ns()) / 1'000'000); };
    // The poll reports changes since the read.
    char text[256];
    const ssize_t n = events ? ::pread(events.get(), text, sizeof text, 0) : -1;
    const std::vector<ProcessHandle> killed = kill_in(dir);
    const bool is_populated =
        n > 0 && number_of({text, static_cast<std::size_t>(n)}, "populated") != 0;
    // Busy without a process: a cgroup below `dir` could not be removed.
    if ((!is_populated && killed.empty()) || left_ms() <= 0) return;
    pollfd change{events.get(), POLLPRI, 0};
    if (is_populated) ::poll(&change, 1, left_ms());
    for (const ProcessHandle& process : killed) process.await_end(std::max(left_ms(), 0));
  }
}

/// Returns the CPU time in each period, in microseconds. The kernel takes no less than a
/// millisecond.
std::string quota_us(const Limits& limits) {
  return std::to_string(std::max(limits.cpu_milli * kPeriodUs / 1000, std::int64_t{1000}));
}

/// Sets the limits of a cgroup v2. Without swap, memory.max limits all memory of the replica. If
/// the kernel kills one process of the replica for lack of memory, it kills all.
bool limit_unified(const std::string& dir, const Limits& limits) {
  const std::string quota = quota_us(limits) + ' ' + std::to_string(kPeriodUs);
  const bool memory =
      limits.memory_bytes == 0 || (put(dir + "/memory.max", std::to_string(limits.memory_bytes)) &&
                                   put_if_present(dir + "/memory.swap.max", "0") &&
                                   put_if_present(dir + "/memory.oom.group", "1"));
  return memory && (limits.cpu_milli == 0 || put(dir + "/cpu.max", quota));
}

/// Limits memory alone, then memory and swap together, so that the replica gets no swap.
bool limit_memory_v1(const std::string& dir, const Limits& limits) {
  const std::string bytes = std::to_string(limits.memory_bytes);
  return limits.memory_bytes == 0 || (put(dir + "/memory.limit_in_bytes", bytes) &&
                                      put_if_present(dir + "/memory.memsw.limit_in_bytes", bytes));
}

bool limit_cpu_v1(const std::string& dir, const Limits& limits) {
  return limits.cpu_milli == 0 || (put(dir + "/cpu.cfs_period_us", std::to_string(kPeriodUs)) &&
                                   put(dir + "/cpu.cfs_quota_us", quota_us(limits)));
}

bool has_limits(const Limits& limits) {
  return limits.enforce == Enforce::kCgroup && (limits.memory_bytes != 0 || limits.cpu_milli != 0);
}

}  // namespace

ReplicaCgroups::ReplicaCgroups(const LaunchPlan& plan) : plan_(plan) {
  for (const LaunchGroup& group : plan.groups) used_ = used_ || has_limits(group.needs.limits);
}

/// Returns the directory of the app in each hierarchy that is used: one in v2, two in v1.
std::vector<std::string> ReplicaCgroups::app_directories() const {
  const CgroupPlace& place = plan_.cgroups;
  std::vector<std::string> out = {place.memory + "/slipway/" + plan_.app_id};
  if (!place.unified) out.push_back(place.cpu + "/slipway/" + plan_.app_id);
  return out;
}

std::string ReplicaCgroups::directory(const std::string& place, std::uint32_t index) const {
  return place + "/slipway/" + plan_.app_id + '/' + std::to_string(index);
}

bool ReplicaCgroups::make(std::uint32_t index, const Limits& limits, std::vector<OwnedFd>& entries,
                          std::string& what) {
  if (!has_limits(limits)) return true;
  const CgroupPlace& place = plan_.cgroups;
  const auto enable = [&](const std::string& dir) {
    return !place.unified || put(dir + "/cgroup.subtree_control", "+memory +cpu");
  };
  for (const std::string& root : app_directories()) {
    if (has_directories_) break;
    const std::string common = root.substr(0, root.rfind('/'));  // of all apps
    what = "make the cgroup " + root;
    // Another app may remove the common directory at its end if it is empty, so this may need more
    // than one try. The limit only prevents an endless loop.
    constexpr int kMostTries = 100;
    for (int tries = 0; ::mkdir(root.c_str(), 0755) != 0 && errno != EEXIST; ++tries) {
      if (errno != ENOENT || tries == kMostTries) return false;
      if (!enable(common.substr(0, common.rfind('/')))) return false;
      if (::mkdir(common.c_str(), 0755) != 0 && errno != EEXIST) return false;
    }
    // Another app may have made the common directory, and not have got to its controllers yet.
    if (!enable(common) || !enable(root)) return false;
  }
  has_directories_ = true;
  const auto make_empty = [&](const std::string& dir) {
    what = "make the cgroup " + dir;
    // The attempt before has left processes behind, which need a moment to end.
    if (!remove_or_kill(dir)) return errno = EAGAIN, false;
    return ::mkdir(dir.c_str(), 0755) == 0;
  };
  const auto open_entry = [&](const std::string& dir) {
    entries.emplace_back(::open((dir + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    what = "open the cgroup " + dir;
    return static_cast<bool>(entries.back());
  };
  const std::string memory = directory(place.memory, index);
  if (!make_empty(memory)) return false;
  if (place.unified) {
    what = "set limits in " + memory;
    return limit_unified(memory, limits) && open_entry(memory);
  }
  const std::string cpu = directory(place.cpu, index);
  if (!make_empty(cpu)) return false;
  what = "set limits in " + memory;
  if (!limit_memory_v1(memory, limits)) return false;
  what = "set limits in " + cpu;
  return limit_cpu_v1(cpu, limits) && open_entry(memory) && open_entry(cpu);
}

bool ReplicaCgroups::ran_out_of_memory(std::uint32_t index) const {
  if (!used_) return false;
  const std::string dir = directory(plan_.cgroups.memory, index);
  const char* file = plan_.cgroups.unified ? "/memory.events" : "/memory.oom_control";
  return number_of(kernel_file(dir + file), "oom_kill") > 0;
}

void ReplicaCgroups::remove(std::uint32_t index) {
  if (!used_) return;
  for (const std::string& root : app_directories())
    remove_or_kill(root + '/' + std::to_string(index));
}

void ReplicaCgroups::kill_all() {
  if (!used_) return;
  for (const std::string& root : app_directories()) for_each_child(root, kill_below);
}

void ReplicaCgroups::remove_all() {
  if (!used_) return;
  for (const std::string& root : app_directories()) {
    for_each_child(root, empty_and_remove);
    ::rmdir(root.c_str());
    // Fails while another app has a cgroup there.
    ::rmdir(root.substr(0, root.rfind('/')).c_str());
  }
}

}  // namespace slipway::local
