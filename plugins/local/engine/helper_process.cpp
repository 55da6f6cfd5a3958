#include "plugins/local/engine/helper_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Returns a copy of `fd` that is at least `first_free`, above the numbers that the helper knows, so
/// that putting one descriptor in its place never closes another.
OwnedFd high_copy(int fd, int first_free) {
  OwnedFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, first_free));
  if (!copy) throw system_error(Code::kUnavailable, "cannot start", "the supervisor", errno);
  return copy;
}

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

  void null(int target) {
    ::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0);
  }
  void place(int fd, int target) { ::posix_spawn_file_actions_adddup2(&actions_, fd, target); }
  void close(int fd) { ::posix_spawn_file_actions_addclose(&actions_, fd); }
  void close_from(int first) { ::posix_spawn_file_actions_addclosefrom_np(&actions_, first); }

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
    return ::posix_spawn(&pid, path, &actions_, &attributes_, argv, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string read_answer(int fd) {
  std::string answer;
  char buffer[512];
  while (answer.size() < 4096 && (answer.empty() || answer.front() != kAckByte)) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    // The helper may live: a caller that took it for dead would start a second one.
    if (n < 0)
      throw system_error(Code::kUnavailable, "cannot read the answer of", "the supervisor", errno);
    if (n == 0) break;
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  return answer;
}

}  // namespace

void start_helper(const std::string& helper_path, const char* mode, const std::string& app_dir,
                  int lock_fd, int owner_fd, const std::vector<int>& lease_fds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw system_error(Code::kUnavailable, "cannot make", "a pipe", errno);
  OwnedFd read_end(ends[0]);
  OwnedFd write_end(ends[1]);
  const int first_free = kHelperLeaseFd + static_cast<int>(lease_fds.size());
  const OwnedFd lock = high_copy(lock_fd, first_free);
  OwnedFd ack = high_copy(write_end.get(), first_free);
  write_end.reset();
  const OwnedFd owner = owner_fd >= 0 ? high_copy(owner_fd, first_free) : OwnedFd();
  std::vector<OwnedFd> leases;
  for (const int fd : lease_fds) leases.push_back(high_copy(fd, first_free));

  SpawnRecipe recipe;
  for (const int fd : {0, 1, 2}) recipe.null(fd);
  recipe.place(lock.get(), kHelperLockFd);
  recipe.place(ack.get(), kHelperAckFd);
  if (owner) {
    recipe.place(owner.get(), kHelperOwnerFd);
  } else {
    recipe.close(kHelperOwnerFd);
  }
  int next = kHelperLeaseFd;
  for (const OwnedFd& lease : leases) recipe.place(lease.get(), next++);
  recipe.close_from(first_free);
  std::string path = helper_path;
  std::string verb = mode;
  std::string dir = app_dir;
  char* argv[] = {path.data(), verb.data(), dir.data(), nullptr};
  pid_t pid = -1;
  if (const int error = recipe.run(pid, helper_path.c_str(), argv)) {
    const bool missing = error == ENOENT || error == EACCES;
    throw system_error(missing ? Code::kUnavailable : Code::kTemporary, "cannot start", helper_path,
                       error, missing ? "is Slipway installed completely?" : "try again later");
  }
  ack.reset();
  const std::string answer = read_answer(read_end.get());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answer.empty() && answer.front() == kAckByte) return;
  if (answer.empty() && WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    throw Error(
        Code::kUnavailable,
        "the local supervisor ended with exit status " + std::to_string(WEXITSTATUS(status)),
        "is Slipway installed completely?", helper_path);
  }
  if (answer.empty()) {
    throw Error(Code::kTemporary, "the local supervisor died before it took over", "try again",
                helper_path);
  }
  throw Error(Code::kUnavailable, answer, {}, helper_path);
}

}  // namespace slipway::local
