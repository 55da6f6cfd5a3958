#include "plugins/local/supervisor/launcher.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "plugins/local/supervisor/replica_program.hpp"
#include "plugins/local/supervisor/replica_spawn.hpp"

namespace slipway::local {
namespace {

bool is_shortage(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE ||
         error == ENOSPC;
}

bool path_differs(const LaunchGroup& group) {
  for (const auto& [key, value] : group.env) {
    if (key == "PATH" && depends_on_replica(group, value)) return true;
  }
  return false;
}

/// Opens `path` as descriptor `target`, which is closed first, so that it is the lowest free one.
bool open_as(int target, int dir_fd, const char* path) {
  ::close(target);
  // The replica is to inherit it. NOLINTNEXTLINE(android-cloexec-open)
  return ::openat(dir_fd, path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0644) == target;
}

// What ENOENT means for a program depends on where it was looked for.
std::string start_fault(int error, const std::string& program) {
  if (error == ENOENT && program.find('/') == std::string::npos) return "not found in PATH";
  if (error == ENOENT && ::access(program.c_str(), F_OK) == 0) {
    return "it is there, but the interpreter in its first line is not";
  }
  return std::strerror(error);
}

}  // namespace

Launcher::Launcher(AppFiles& files, GpuLease& gpus, ReplicaCgroups& cgroups,
                   std::optional<rlimit> open_files)
    : files_(files), gpus_(gpus), cgroups_(cgroups), open_files_(open_files) {}

Launcher::~Launcher() { release_logs(); }

void Launcher::release_logs() {
  if (!logs_held_) return;
  ::dup2(0, 1);
  ::dup2(0, 2);
  logs_held_ = false;
}

std::optional<StartFailure> Launcher::check_all() {
  std::uint32_t index = 0;
  const LaunchGroup* checked = nullptr;
  std::string checked_path;
  for (const LaunchGroup& group : files_.plan().groups) {
    const std::int32_t lookups = path_differs(group) ? group.count : 1;
    for (std::int32_t k = 0; k < lookups; ++k) {
      const std::int32_t replica = group.first_replica + k;
      std::string path = replica_path(files_.plan(), group, replica);
      if (checked != nullptr && checked->cwd == group.cwd && checked->argv[0] == group.argv[0] &&
          checked_path == path) {
        continue;
      }
      const FoundProgram found = find_inside(group, path);
      const std::string what = (found.path == group.cwd ? "enter " : "start ") + found.path;
      // A shortage says nothing about the program; the start itself will see.
      if (found.error != 0 &&
          give_up(index + static_cast<std::uint32_t>(k), found.error, what) == Outcome::kFailed) {
        return failure_;
      }
      checked = &group;
      checked_path = std::move(path);
    }
    index += static_cast<std::uint32_t>(group.count);
  }
  return std::nullopt;
}

Launcher::Outcome Launcher::give_up(std::uint32_t index, int error, const std::string& what) {
  failure_ = {index, error,
              files_.state().replica_name(index) + ": cannot " + what + ": " +
                  start_fault(error, what.substr(what.find(' ') + 1))};
  return is_shortage(error) ? Outcome::kTryLater : Outcome::kFailed;
}

void Launcher::find(const LaunchGroup& group, std::int32_t replica) {
  program_ = find_inside(group, replica_path(files_.plan(), group, replica));
}

void Launcher::use_group(const LaunchGroup& group) {
  if (group_ == &group) return;
  if (group_ == nullptr || group_->role != group.role) {
    ::mkdirat(files_.log_dir_fd(), group.role.c_str(), 0755);
    role_dir_.reset(
        ::openat(files_.log_dir_fd(), group.role.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  recipe_ = std::make_unique<ReplicaRecipe>(files_.plan(), group, files_.mark());
  mounts_.reset();
  if (!group.needs.mounts.empty()) mounts_.emplace(group.needs.mounts);
  search_each_ = path_differs(group);
  find(group, group.first_replica);
  group_ = &group;
}

bool Launcher::open_logs(const LaunchGroup& group, std::int32_t replica, std::string& what) {
  if (!role_dir_) {
    // Open it again next time: whatever was in the way may be gone.
    group_ = nullptr;
    what = "open the log directory " + files_.plan().log_dir + '/' + group.role;
    return errno = errno != 0 ? errno : ENOENT, false;
  }
  char path[48];
  const int length = std::snprintf(path, sizeof path, "%d", replica);
  const auto name = [&](const char* file) {
    std::snprintf(path + length, sizeof path - static_cast<std::size_t>(length), "/%s", file);
    return path;
  };
  what = "create the logs in " + files_.plan().log_dir + '/' + group.role + '/' + path;
  // The app's log directory was made for this app alone, so what exists is from an earlier attempt
  // of ours.
  if (::mkdirat(role_dir_.get(), path, 0755) != 0 && errno != EEXIST) return false;
  const bool has_combined =
      !files_.plan().logs.combined ||
      OwnedFd(::openat(role_dir_.get(), name("combined.log"),
                       O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  logs_held_ = true;
  if (has_combined && open_as(1, role_dir_.get(), name("stdout.log")) &&
      open_as(2, role_dir_.get(), name("stderr.log"))) {
    return true;
  }
  const int error = errno;
  release_logs();
  errno = error;
  return false;
}

Launcher::Outcome Launcher::start(std::uint32_t index, std::int32_t& pid) {
  if (!gpus_.ready(index)) return Outcome::kTryLater;
  const auto [group, replica] = files_.locate(index);
  errno = 0;
  use_group(*group);
  if (search_each_) find(*group, replica);
  if (program_.error != 0) {
    // Looked up again at the next attempt.
    group_ = nullptr;
    return give_up(index, program_.error,
                   (program_.path == group->cwd ? "enter " : "start ") + program_.path);
  }
  std::string what;
  if (!open_logs(*group, replica, what)) return give_up(index, errno, what);
  recipe_->prepare(replica);
  const ReplicaNeeds& needs = group->needs;
  std::vector<OwnedFd> doors;
  if (needs.limits.enforce == Enforce::kCgroup && !cgroups_.make(index, needs.limits, doors, what))
    return give_up(index, errno, what);
  const ProcessLimits limits = process_limits(needs.limits, index);
  int door_fds[2] = {-1, -1};
  for (std::size_t i = 0; i < doors.size(); ++i) door_fds[i] = doors[i].get();
  SpawnTrouble trouble;

  ReplicaRecord& record = files_.state().record(index);
  const std::uint32_t attempt = word_attempt(record.word.load());
  record.error_number.store(0);
  record.flags.store(needs.ready.kind != ReadyProbe::Kind::kNone ? kProbed : 0U);
  // What the attempts before it wrote has been copied when they ended.
  record.log_start.store(record.combined_out + record.combined_err);
  record.window_from_ns.store(boottime_ns());
  record.started_ns.store(realtime_ns());
  const auto self = static_cast<std::int32_t>(::getpid());
  record.word.store(make_word(RecordState::kStarting, attempt + 1, self),
                    std::memory_order_release);
  const std::vector<int>& kept = gpus_.descriptors(index);
  const SpawnRequest request{&record,
                             attempt + 1,
                             self,
                             program_.path.c_str(),
                             recipe_->argv(),
                             recipe_->envp(),
                             group->cwd.c_str(),
                             open_files_ ? &*open_files_ : nullptr,
                             kept.data(),
                             kept.size(),
                             &limits,
                             {door_fds[0], door_fds[1]},
                             mounts_ ? &*mounts_ : nullptr,
                             &trouble};
  pid = spawn_replica(request);
  int error = pid < 0 ? -pid : record.error_number.load(std::memory_order_acquire);
  if (error == 0) return Outcome::kStarted;
  if (pid > 0) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  record.word.store(make_word(RecordState::kPending, attempt, 0), std::memory_order_release);
  cgroups_.remove(index);
  return give_up(index, error, action(trouble));
}

std::string Launcher::action(const SpawnTrouble& trouble) const {
  switch (trouble.at) {
    case SpawnTrouble::At::kCgroup: return "enter its cgroup for " + program_.path;
    case SpawnTrouble::At::kLimits: return "set the limits of " + program_.path;
    case SpawnTrouble::At::kMounts: return mounts_->describe(trouble.mount);
    case SpawnTrouble::At::kProgram: break;
  }
  return "start " + program_.path;
}

}  // namespace slipway::local
