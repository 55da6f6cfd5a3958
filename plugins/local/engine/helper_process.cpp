#include "plugins/local/engine/helper_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "plugins/local/engine/file_io.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Returns a copy of `fd` whose number is at least `first_free`. The fixed numbers of the helper
/// are smaller, so moving one copy to its number never closes another.
OwnedFd high_copy(int fd, int first_free) {
  OwnedFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, first_free));
  if (!copy) throw system_error(Code::kUnavailable, "cannot start", "the supervisor", errno);
  return copy;
}

/// The descriptors of a new process, and its start.
class SpawnRecipe {
 public:
  SpawnRecipe() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnRecipe() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnRecipe(const SpawnRecipe&) = delete;
  SpawnRecipe& operator=(const SpawnRecipe&) = delete;

  // The following functions give the process /dev/null, a copy of `fd`, or no descriptor at a
  // number, and none at all numbers from `first` on.
  void open_null(int target) {
    ::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0);
  }
  void place(int fd, int target) {
    ::posix_spawn_file_actions_adddup2(&actions_, fd, target);
    placed_.emplace_back(fd, target);
  }
  void close(int fd) { ::posix_spawn_file_actions_addclose(&actions_, fd); }
  void close_from(int first) {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first);
    first_closed_ = first;
  }

  /// Starts the program in a new process session, without blocked signals and signal handlers.
  /// Returns 0 or an errno.
  int run(pid_t& pid, const char* path, char* const* argv) {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    const int error = ::posix_spawn(&pid, path, &actions_, &attributes_, argv, environ);
    // The C library calls clone3(), which older container software forbids with EPERM.
    return error == EPERM ? run_forked(pid, path, argv) : error;
  }

 private:
  /// Does what run() does, but with fork(). The child writes a failure to the acknowledgement pipe.
  int run_forked(pid_t& pid, const char* path, char* const* argv) const {
    pid = ::fork();
    if (pid != 0) return pid < 0 ? errno : 0;
    ::setsid();
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // Without O_CLOEXEC: if open() returns one of the numbers 0 to 2, dup2() to the same number
    // would not remove the flag. A higher number is closed below.
    // NOLINTNEXTLINE(android-cloexec-open)
    const int null_fd = ::open("/dev/null", O_RDWR);
    for (const int target : {0, 1, 2}) ::dup2(null_fd, target);
    // A number that gets no descriptor below must not keep one of this process.
    for (int target = 3; target < first_closed_; ++target) ::close(target);
    for (const auto& [fd, target] : placed_) ::dup2(fd, target);
    ::closefrom(first_closed_);
    ::execve(path, argv, environ);
    const char* why = ::strerrordesc_np(errno);
    write_all(kHelperAckFd, "cannot start the app's supervisor: ");
    write_all(kHelperAckFd, why != nullptr ? why : "unknown error");
    ::_exit(127);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<std::pair<int, int>> placed_;  // descriptors and their numbers in the helper
  int first_closed_ = 0;                     // the helper has no descriptor from this number on
};

/// Reads the helper's answer, until the acknowledgement, the end of the pipe, 4096 bytes or
/// `deadline`. Sets `timed_out` to whether the deadline came first.
std::string read_answer(int fd, std::chrono::steady_clock::time_point deadline, bool& timed_out) {
  std::string answer;
  char buffer[512];
  timed_out = false;
  while (answer.size() < 4096 && (answer.empty() || answer.front() != kAckByte)) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ready{fd, POLLIN, 0};
    const int events = ::poll(&ready, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (events < 0 && errno == EINTR) continue;
    if (events == 0) {
      timed_out = true;
      break;
    }
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    // An empty answer would mean that the helper died, and the caller would start a second one.
    if (n < 0)
      throw system_error(Code::kUnavailable, "cannot read the answer of", "the supervisor", errno);
    if (n == 0) break;
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  return answer;
}

/// Kills the helper and its children, which are in its process group, and waits up to two seconds
/// until they close the pipe. Returns false if one of them does not.
bool kill_helper(pid_t pid, int ack_fd) {
  constexpr std::chrono::seconds kMoment{2};
  ::kill(-pid, SIGKILL);
  bool timed_out = false;
  read_answer(ack_fd, std::chrono::steady_clock::now() + kMoment, timed_out);
  return !timed_out;
}

/// Gives the helper `fd` at the number `target`. If `fd` is empty, closes `target`.
void place_or_close(SpawnRecipe& recipe, const OwnedFd& fd, int target) {
  if (fd) {
    recipe.place(fd.get(), target);
  } else {
    recipe.close(target);
  }
}

}  // namespace

void start_helper(const HelperStart& start) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw system_error(Code::kUnavailable, "cannot make", "a pipe", errno);
  OwnedFd read_end(ends[0]);
  OwnedFd write_end(ends[1]);
  const int first_free = kHelperLeaseFd + static_cast<int>(start.lease_fds.size());
  const auto copy_of = [&](int fd) { return fd >= 0 ? high_copy(fd, first_free) : OwnedFd(); };
  const OwnedFd lock = copy_of(start.lock_fd);
  OwnedFd ack = copy_of(write_end.get());
  write_end.reset();
  const OwnedFd owner = copy_of(start.owner_fd);
  const OwnedFd logs = copy_of(start.logs_fd);
  std::vector<OwnedFd> leases;
  for (const int fd : start.lease_fds) leases.push_back(copy_of(fd));

  SpawnRecipe recipe;
  for (const int fd : {0, 1, 2}) recipe.open_null(fd);
  recipe.place(lock.get(), kHelperLockFd);
  recipe.place(ack.get(), kHelperAckFd);
  place_or_close(recipe, owner, kHelperOwnerFd);
  place_or_close(recipe, logs, kHelperLogsFd);
  int next = kHelperLeaseFd;
  for (const OwnedFd& lease : leases) recipe.place(lease.get(), next++);
  recipe.close_from(first_free);
  std::string path = start.helper_path;
  std::string verb = start.mode;
  std::string dir = start.app_dir;
  char* argv[] = {path.data(), verb.data(), dir.data(), nullptr};
  pid_t pid = -1;
  const auto deadline = std::chrono::steady_clock::now() + start.limit;
  if (const int error = recipe.run(pid, path.c_str(), argv)) {
    const bool missing = error == ENOENT || error == EACCES;
    throw system_error(missing ? Code::kUnavailable : Code::kTemporary, "cannot start", path, error,
                       missing ? "is Slipway installed completely?" : "try again later");
  }
  ack.reset();
  bool timed_out = false;
  const std::string answer = read_answer(read_end.get(), deadline, timed_out);
  const bool is_ending = !timed_out || kill_helper(pid, read_end.get());
  int status = 0;
  // The started process exits once it has forked the warden (supervisor/main.cpp). A dying process
  // closes its descriptors before it can be reaped. A process that the kernel cannot end must not
  // hang the command.
  while (::waitpid(pid, &status, is_ending ? 0 : WNOHANG) < 0 && errno == EINTR) {
  }
  if (!answer.empty() && answer.front() == kAckByte) return;
  if (timed_out) {
    throw Error(
        Code::kUnavailable,
        "the local supervisor was not ready within " +
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(start.limit).count()) +
            " s, and was killed",
        "does the disk of " + start.app_dir + " answer?", path);
  }
  if (answer.empty() && WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    throw Error(
        Code::kUnavailable,
        "the local supervisor ended with exit status " + std::to_string(WEXITSTATUS(status)),
        "is Slipway installed completely?", path);
  }
  if (answer.empty()) {
    throw Error(Code::kTemporary, "the local supervisor died before it was ready", "try again",
                path);
  }
  if (answer.front() == kShortageByte)
    throw Error(Code::kTemporary, answer.substr(1), "try again later", path);
  if (answer.front() == kKilledByte) throw Error(Code::kInvalid, answer.substr(1), {}, path);
  throw Error(Code::kUnavailable, answer, {}, path);
}

}  // namespace slipway::local
