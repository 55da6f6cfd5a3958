#include "plugins/local/supervisor/starting/launcher.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "plugins/local/engine/ownership.hpp"
#include "plugins/local/engine/shortage.hpp"
#include "plugins/local/supervisor/spawning/replica_program.hpp"
#include "plugins/local/supervisor/spawning/replica_spawn.hpp"

namespace slipway::local {
namespace {

bool path_differs(const LaunchGroup& group) {
  for (const auto& [key, value] : group.env) {
    if (key == "PATH" && depends_on_replica(group, value)) return true;
  }
  return false;
}

/// Opens the log file of an earlier attempt. A FIFO or a device that took its place meanwhile must
/// not block the supervisor: errno is then EINVAL.
int open_again(int dir_fd, const char* path) {
  // The replica is to inherit it. NOLINTNEXTLINE(android-cloexec-open)
  const int fd = ::openat(dir_fd, path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  // ENXIO: a FIFO without a reader, or a socket.
  if (fd < 0) return errno = errno == ENXIO ? EINVAL : errno, fd;
  struct stat info {};
  const bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (!regular || ::fcntl(fd, F_SETFL, O_APPEND) != 0) {
    ::close(fd);
    return errno = EINVAL, -1;
  }
  return fd;
}

/// Opens `path` as descriptor `target`, which is closed first, so that it is the lowest free one.
bool open_as(int target, int dir_fd, const char* path) {
  ::close(target);
  // What this call makes is a regular file, so a first attempt costs one system call.
  // The replica is to inherit it. NOLINTNEXTLINE(android-cloexec-open)
  int fd = ::openat(dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0644);
  if (fd < 0 && errno == EEXIST) fd = open_again(dir_fd, path);
  return fd == target;
}

/// Makes `path` unless something of that name exists, which the copying of lines will look at.
bool make_if_missing(int dir_fd, const char* path) {
  return OwnedFd(::openat(dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) ||
         errno == EEXIST;
}

/// Opens the pipe `path` as descriptor `target`, makes it first if it is not there, and returns an
/// end of our own: what is in a pipe is lost when the last end is closed. A replica has both ends,
/// so that no end of a supervisor is missed.
OwnedFd open_pipe_as(int target, int dir_fd, const char* path) {
  if (::mkfifoat(dir_fd, path, 0600) != 0 && errno != EEXIST) return OwnedFd();
  OwnedFd ours(::openat(dir_fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!ours || ::fstat(ours.get(), &status) != 0) return OwnedFd();
  if (!S_ISFIFO(status.st_mode)) return errno = EEXIST, OwnedFd();
  ::close(target);
  // The replica is to inherit it. NOLINTNEXTLINE(android-cloexec-open)
  if (::openat(dir_fd, path, O_RDWR | O_NOFOLLOW) != target) return OwnedFd();
  return ours;
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
    : files_(files),
      gpus_(gpus),
      cgroups_(cgroups),
      open_files_(open_files),
      starts_(new Start[kMostUnderWay]) {}

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
    const bool made = ::mkdirat(files_.log_dir_fd(), group.role.c_str(), 0755) == 0;
    role_dir_error_ = made || errno == EEXIST ? 0 : errno;
    role_dir_.reset(::openat(files_.log_dir_fd(), group.role.c_str(),
                             O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    // What mkdir says is the cause; open only says that there is no directory.
    if (!role_dir_ && role_dir_error_ == 0) role_dir_error_ = errno;
    struct stat info {};
    if (role_dir_ && (::fstat(role_dir_.get(), &info) != 0 || !distrust(info).empty())) {
      role_dir_.reset();
      role_dir_error_ = EPERM;
    }
  }
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
    what = "make the log directory " + files_.plan().log_dir + '/' + group.role;
    return errno = role_dir_error_, false;
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
      !files_.plan().logs.combined || make_if_missing(role_dir_.get(), name("combined.log"));
  logs_held_ = true;
  if (has_combined && open_as(1, role_dir_.get(), name("stdout.log")) &&
      open_as(2, role_dir_.get(), name("stderr.log"))) {
    if (!files_.plan().logs.pipes) return true;
    pipes_[0] = open_pipe_as(1, role_dir_.get(), name(kStdoutPipe.data()));
    // A file system without pipes: the files stay.
    if (!pipes_[0] && (errno == EPERM || errno == EOPNOTSUPP)) return true;
    if (pipes_[0]) pipes_[1] = open_pipe_as(2, role_dir_.get(), name(kStderrPipe.data()));
    if (pipes_[0] && pipes_[1]) return true;
  }
  const int error = errno;
  if (error == EINVAL) {
    what = "write to the logs: " + files_.plan().log_dir + '/' + group.role + '/' + path +
           " is no regular file";
  }
  release_logs();
  errno = error;
  return false;
}

void Launcher::fill(Start& start, const LaunchGroup& group, std::int32_t replica) {
  if (start.group != &group)
    start.recipe = std::make_unique<ReplicaRecipe>(files_.plan(), group, files_.mark());
  start.group = &group;
  start.recipe->prepare(replica);
  start.program = program_.path;
  start.limits = process_limits(group.needs.limits, start.index);
  start.trouble = SpawnTrouble{};
  SpawnRequest& request = start.request;
  request = SpawnRequest{};
  request.head = &files_.state().head(start.index);
  request.tail = &files_.state().tail(start.index);
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
  if (!gpus_.ready(index)) {
    failure_ = {index, 0, files_.state().replica_name(index) + ": another process has its GPUs"};
    return Outcome::kTryLater;
  }
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
  std::vector<OwnedFd> doors;
  const ReplicaNeeds& needs = group->needs;
  if (needs.limits.enforce == Enforce::kCgroup && !cgroups_.make(index, needs.limits, doors, what))
    return give_up(index, errno, what);

  Start& start = starts_[(first_ + under_way_) % kMostUnderWay];
  start.index = index;
  start.pipes = std::move(pipes_);
  fill(start, *group, replica);
  for (std::size_t i = 0; i < doors.size(); ++i) start.request.doors[i] = doors[i].get();
  const ReplicaRecord record = files_.edit(index);
  start.request.attempt = word_attempt(record.word.load()) + 1;
  record.error_number.store(0);
  record.flags.store(needs.ready.kind != ReadyProbe::Kind::kNone ? kProbed : 0U);
  // What the attempts before it wrote has been copied when they ended.
  record.log_start.store(record.combined_out + record.combined_err);
  record.window_from_ns.store(boottime_ns());
  record.started_ns.store(realtime_ns());
  record.word.store(
      make_word(RecordState::kStarting, start.request.attempt, start.request.launcher),
      std::memory_order_release);
  // Whoever cuts the file now takes the child's claim away, but not what it was promised.
  files_.guard().keep(index);
  const bool is_plain = doors.empty() && !mounts_;
  start.pid = is_plain ? begin_spawn(start.request, start.stage) : spawn_replica(start.request);
  if (start.pid < 0) return take_back(start, -start.pid);
  if (!is_plain) {
    // What went wrong is told with the group's mounts, which may be others when it is finished.
    if (const int error = error_of(start)) return take_back(start, error);
  }
  ++under_way_;
  return Outcome::kUnderWay;
}

/// Of a child that has left our memory: 0, or why it does not run its program. Then it was reaped.
int Launcher::error_of(const Start& start) {
  const int error = start.request.head->error_number.load(std::memory_order_acquire);
  // Any other number is damage of a record whose child runs.
  constexpr int kMostErrno = 4095;
  if (error <= 0 || error > kMostErrno) return 0;
  while (::waitpid(start.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return error;
}

Launcher::Finished Launcher::finish_next() {
  Start& start = starts_[first_];
  first_ = (first_ + 1) % kMostUnderWay;
  --under_way_;
  start.stage.await();
  const int error = error_of(start);
  if (error != 0) return {start.index, 0, take_back(start, error)};
  files_.guard().confirm_claim(start.index,
                               make_word(RecordState::kRunning, start.request.attempt, start.pid));
  return {start.index, start.pid, Outcome::kStarted};
}

/// The record is PENDING again, as if nobody had tried.
Launcher::Outcome Launcher::take_back(const Start& start, int error) {
  start.request.head->word.store(make_word(RecordState::kPending, start.request.attempt - 1, 0),
                                 std::memory_order_release);
  files_.keep(start.index);
  cgroups_.remove(start.index);
  return give_up(start.index, error, action(start));
}

std::string Launcher::action(const Start& start) const {
  switch (start.trouble.at) {
    case SpawnTrouble::At::kCgroup: return "enter its cgroup for " + start.program;
    case SpawnTrouble::At::kLimits: return "set the limits of " + start.program;
    case SpawnTrouble::At::kMounts: return mounts_->describe(start.trouble.mount);
    case SpawnTrouble::At::kProgram: break;
  }
  return "start " + start.program;
}

}  // namespace slipway::local
