#include "plugins/local/supervisor/starting/launcher.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/spawning/program_search.hpp"
#include "plugins/local/supervisor/spawning/replica_spawn.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Returns whether PATH differs between the replicas of the group.
bool path_differs(const LaunchGroup& group) {
  for (const auto& [key, value] : group.env) {
    if (key == "PATH" && depends_on_replica(group, value)) return true;
  }
  return false;
}

/// Returns why an existing program of this path cannot be executed: for ENOENT, or for ENOEXEC.
std::string format_fault(int error, const std::string& path) {
  std::array<char, 4> start{};
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const ssize_t length = file ? ::pread(file.get(), start.data(), start.size(), 0) : 0;
  const std::string_view first(start.data(),
                               static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  const bool is_elf = first == "\177ELF";
  if (error == ENOENT) {
    return is_elf
               ? "it exists, but the program that its header names to load it does not: it may be "
                 "for another system or C library"
               : "it exists, but the interpreter in its first line does not";
  }
  return is_elf
             ? "it is a program for another kind of machine, or damaged"
             : "it is neither a program nor a script with an interpreter in its first line, such "
               "as `#!/bin/sh`";
}

/// Returns the text of `error` for a start of a replica of the group. ENOENT and EACCES have
/// several meanings for a program. Unless `is_program`, `program` is a directory or a part of a
/// message.
std::string start_fault(int error, const std::string& program, bool is_program,
                        const LaunchGroup& group) {
  struct stat info {};
  const std::string path = machine_path(group, program);
  const bool is_path = program.find('/') != std::string::npos;
  const bool exists = is_path && ::stat(path.c_str(), &info) == 0;
  if ((error == ENOENT || error == ENOEXEC) && is_program && exists)
    return format_fault(error, path);
  if (error == ENOENT && is_program && program.find(' ') != std::string::npos) {
    // `run -- 'echo hi'` also gives an entrypoint without args.
    return "no such program; no shell splits an entrypoint, so move all but its first word to "
           "args" +
           (group.argv.size() == 1 ? ", or write `slipway run -- " + program + "`" : "");
  }
  if (error == ENOENT && is_program && program.starts_with("~/"))
    return "no such program; no shell expands `~` in an entrypoint, so write the whole path";
  if (error == ENOENT && is_program && !is_path) return "not found in PATH";
  if (error == EACCES && is_program && exists && S_ISDIR(info.st_mode))
    return "it is a directory, not a program";
  if (error == EACCES && is_program && exists && (info.st_mode & 0111) == 0)
    return "it is not executable; use `chmod +x`, or name its interpreter as the entrypoint";
  return std::strerror(error);
}

std::vector<int> usable_cpus() {
  cpu_set_t all;
  std::vector<int> out;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return out;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &all)) out.push_back(cpu);
  }
  return out;
}

/// Returns the limits that replica `index` sets for itself; none unless `limits` are enforced with
/// rlimit. Replicas take turns with the CPUs that this process may use. A replica that may use all
/// of them or more gets no limit of CPUs.
ProcessLimits process_limits(const Limits& limits, std::uint32_t index) {
  ProcessLimits out;
  if (limits.enforce != Enforce::kRlimit) return out;
  if (limits.memory_bytes > 0 && ::getrlimit(RLIMIT_DATA, &out.memory) == 0) {
    out.has_memory = true;
    out.memory.rlim_max = std::min(out.memory.rlim_max, static_cast<rlim_t>(limits.memory_bytes));
    out.memory.rlim_cur = out.memory.rlim_max;
  }
  const std::vector<int> cpus = usable_cpus();
  const std::int32_t whole = CpuCount::of_milli(limits.cpu_milli).whole();
  const auto wanted = static_cast<std::size_t>(whole);
  if (whole > 0 && wanted < cpus.size()) {
    out.has_cpus = true;
    for (std::size_t k = 0; k < wanted; ++k) {
      const int cpu = cpus[(index * wanted + k) % cpus.size()];
      CPU_SET(static_cast<std::size_t>(cpu), &out.cpus);
    }
  }
  return out;
}

}  // namespace

Launcher::Launcher(AppFiles& files, GpuLease& gpus, ReplicaCgroups& cgroups,
                   std::optional<rlimit> open_files)
    : files_(files),
      gpus_(gpus),
      cgroups_(cgroups),
      open_files_(open_files),
      logs_(files),
      starts_(new Start[kMostUnderWay]) {}

std::optional<StartFailure> Launcher::check_all() {
  std::uint32_t index = 0;
  const LaunchGroup* checked = nullptr;
  std::string checked_path;
  for (const LaunchGroup& group : files_.plan().groups) {
    const std::int32_t lookups = path_differs(group) ? group.count : 1;
    for (std::int32_t k = 0; k < lookups; ++k) {
      const std::int32_t replica = group.first_replica + k;
      std::string path = search_path(files_.plan(), group, replica);
      const bool is_same_lookup = checked != nullptr && checked->cwd == group.cwd &&
                                  checked->argv[0] == group.argv[0] && checked_path == path &&
                                  checked->needs.mounts.empty() && group.needs.mounts.empty();
      if (is_same_lookup) continue;
      const FoundProgram found = local::find_program(group, path);
      // A shortage says nothing about the program. The start itself will meet it.
      if (found.error != 0 && fail(index + static_cast<std::uint32_t>(k), found.error,
                                   found.attempted()) == Outcome::kFailed) {
        return failure_;
      }
      checked = &group;
      checked_path = std::move(path);
      program_ = found;
      checked_ = found.error == 0 ? &group : nullptr;
    }
    index += static_cast<std::uint32_t>(group.count);
  }
  return std::nullopt;
}

/// Keeps the failure for failure(). `what` is the action that failed, such as `start /bin/tool`.
Launcher::Outcome Launcher::fail(std::uint32_t index, int error, const std::string& what) {
  failure_ = {index, error,
              files_.state().replica_name(index) + ": cannot " + what + ": " +
                  start_fault(error, what.substr(what.find(' ') + 1), what.starts_with("start "),
                              *files_.locate(index).first)};
  return is_shortage(error) ? Outcome::kTryLater : Outcome::kFailed;
}

void Launcher::find_program(const LaunchGroup& group, std::int32_t replica) {
  program_ = local::find_program(group, search_path(files_.plan(), group, replica));
}

void Launcher::use_group(const LaunchGroup& group) {
  if (group_ == &group) return;
  mounts_.reset();
  if (!group.needs.mounts.empty()) mounts_.emplace(group.needs.mounts);
  search_each_ = path_differs(group);
  if (checked_ != &group) find_program(group, group.first_replica);
  checked_ = nullptr;
  group_ = &group;
}

void Launcher::fill_request(Start& start, const LaunchGroup& group, std::int32_t replica) {
  if (start.group != &group)
    start.recipe = std::make_unique<ReplicaRecipe>(files_.plan(), group, files_.mark());
  start.group = &group;
  const std::uint32_t ended = word_attempt(files_.state().head(start.index).word.load());
  start.recipe->prepare(replica, ended + 1);
  start.program = program_.path;
  start.limits = process_limits(group.needs.limits, start.index);
  start.trouble = SpawnTrouble{};
  SpawnRequest& request = start.request;
  request = SpawnRequest{};
  request.head = &files_.in_file(start.index).head;
  request.launcher = static_cast<std::int32_t>(::getpid());
  request.program = start.program.c_str();
  request.argv = start.recipe->argv();
  request.envp = start.recipe->envp();
  request.cwd = group.cwd.c_str();
  request.open_files = open_files_ ? &*open_files_ : nullptr;
  const std::vector<int>& kept = gpus_.descriptors(start.index);
  request.kept = kept.data();
  request.kept_count = kept.size();
  request.limits = &start.limits;
  request.mounts = mounts_ ? &*mounts_ : nullptr;
  request.trouble = &start.trouble;
}

Launcher::Outcome Launcher::begin(std::uint32_t index) {
  if (!gpus_.has_gpus(index)) {
    failure_ = {index, 0, files_.state().replica_name(index) + ": another process has its GPUs"};
    return Outcome::kTryLater;
  }
  const auto [group, replica] = files_.locate(index);
  use_group(*group);
  if (search_each_) find_program(*group, replica);
  if (program_.error != 0) {
    // The next attempt searches again.
    group_ = nullptr;
    return fail(index, program_.error, program_.attempted());
  }
  std::string what;
  errno = 0;  // a failure without an errno must not get that of an earlier call
  if (!logs_.open(*group, replica, what)) return fail(index, errno, what);
  std::vector<OwnedFd> cgroup_procs;
  const ReplicaNeeds& needs = group->needs;
  if (!cgroups_.make(index, needs.limits, cgroup_procs, what)) return fail(index, errno, what);

  Start& start = starts_[(oldest_ + under_way_) % kMostUnderWay];
  start.index = index;
  start.pipes = logs_.take_pipes();
  start.has_marked_logs = logs_.is_marked();
  fill_request(start, *group, replica);
  for (std::size_t i = 0; i < cgroup_procs.size(); ++i)
    start.request.cgroup_procs[i] = cgroup_procs[i].get();
  const ReplicaEntry entry = files_.edit(index);
  start.request.attempt = word_attempt(entry.head.word.load()) + 1;
  entry.head.error_number.store(0);
  const bool is_probed = needs.ready.kind != ReadyProbe::Kind::kNone;
  entry.head.flags.store((entry.head.flags.load() & kService) | (is_probed ? kProbed : 0U));
  // The output of earlier attempts was copied when they ended.
  const ReplicaTail& merged = files_.in_file(index).tail;
  entry.tail.log_start.store(merged.combined_out + merged.combined_err);
  entry.tail.window_from_ns.store(boottime_ns());
  entry.tail.window_to_ns.store(0);
  entry.tail.started_ns.store(realtime_ns());
  entry.head.word.store(
      make_word(RecordState::kStarting, start.request.attempt, start.request.launcher),
      std::memory_order_release);
  files_.promise(index);
  const bool is_plain = cgroup_procs.empty() && !mounts_;
  start.pid = is_plain ? begin_spawn(start.request, start.stage) : spawn_replica(start.request);
  if (start.pid < 0) return revert(start, -start.pid);
  if (!is_plain) {
    // The text of a failure needs the mounts of this group, and finish_next() may see others.
    if (const int error = error_of(start)) return revert(start, error);
  }
  ++under_way_;
  return Outcome::kUnderWay;
}

/// Returns 0 for a child that runs its program. Otherwise reaps it and returns the errno. The child
/// has left this process's memory.
int Launcher::error_of(const Start& start) {
  const int error = start.request.head->error_number.load(std::memory_order_acquire);
  // Any other number is damage in the entry of a child that runs.
  constexpr int kMostErrno = 4095;
  if (error <= 0 || error > kMostErrno) return 0;
  while (::waitpid(start.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return error;
}

Launcher::Finished Launcher::finish_next() {
  Start& start = starts_[oldest_];
  oldest_ = (oldest_ + 1) % kMostUnderWay;
  --under_way_;
  start.stage.await();
  const int error = error_of(start);
  if (error != 0) return {start.index, 0, revert(start, error), false};
  return {start.index, start.pid, Outcome::kStarted, start.has_marked_logs};
}

/// Makes the entry PENDING again, as if the start had not been tried.
Launcher::Outcome Launcher::revert(const Start& start, int error) {
  files_.edit(start.index)
      .head.word.store(make_word(RecordState::kPending, start.request.attempt - 1, 0));
  files_.save(start.index);
  cgroups_.remove(start.index);
  return fail(start.index, error, action_text(start));
}

std::string Launcher::action_text(const Start& start) const {
  switch (start.trouble.step) {
    case SpawnTrouble::Step::kCgroup: return "enter its cgroup for " + start.program;
    case SpawnTrouble::Step::kLimits: return "set the limits of " + start.program;
    case SpawnTrouble::Step::kMounts: return mounts_->describe(start.trouble.mount);
    case SpawnTrouble::Step::kProgram: break;
  }
  return "start " + start.program;
}

}  // namespace slipway::local
