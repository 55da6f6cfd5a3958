#include "plugins/local/engine/private_mounts.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/unsanitized.hpp"
#include "sdk/support/absolute_path.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Writes `text` to a file of /proc.
SLIPWAY_UNSANITIZED bool write_proc(const char* path, const char* text, std::size_t size) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool good = ::write(fd, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  ::close(fd);
  errno = error;
  return good;
}

/// Makes a mount and all mounts below it read-only. People expect that, although Docker's
/// `readonly` leaves the mounts below writable.
SLIPWAY_UNSANITIZED bool make_read_only(const char* path) {
  mount_attr wanted{};
  wanted.attr_set = MOUNT_ATTR_RDONLY;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &wanted, sizeof wanted) == 0;
}

/// Returns the path without `.`, `..` and superfluous slashes, also at its end.
std::string plain_path(const std::string& path) {
  std::string normal = normal_path(path).string();
  if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

/// Returns a map of user or group ids that contains `id` only, unchanged.
std::string identity_map(unsigned id) {
  return std::to_string(id) + ' ' + std::to_string(id) + " 1";
}

}  // namespace

PrivateMounts::PrivateMounts(const std::vector<BindMount>& mounts) : mounts_(mounts) {
  if (mounts.empty() || ::geteuid() == 0) return;
  uid_map_ = identity_map(::geteuid());
  gid_map_ = identity_map(::getegid());
}

SLIPWAY_UNSANITIZED int PrivateMounts::enter(Failure& failure) const {
  const auto failed = [&](Step step, std::size_t mount) {
    failure.step = step;
    failure.mount = mount;
    return errno;
  };
  const bool as_user = !uid_map_.empty();
  if (::unshare(CLONE_NEWNS | (as_user ? CLONE_NEWUSER : 0)) != 0)
    return failed(Step::kNamespace, 0);
  // Without privileges, gid_map can be written only after setgroups() is denied.
  if (as_user && !(write_proc("/proc/self/setgroups", "deny", 4) &&
                   write_proc("/proc/self/uid_map", uid_map_.data(), uid_map_.size()) &&
                   write_proc("/proc/self/gid_map", gid_map_.data(), gid_map_.size()))) {
    return failed(Step::kIdentity, 0);
  }
  // Later mounts outside also appear inside, but mounts inside never appear outside.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return failed(Step::kPrivacy, 0);
  for (std::size_t i = 0; i < mounts_.size(); ++i) {
    const BindMount& mount = mounts_[i];
    if (::mount(mount.src.c_str(), mount.dst.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
      return failed(Step::kBind, i);
    if (mount.read_only && !make_read_only(mount.dst.c_str())) return failed(Step::kReadOnly, i);
  }
  return 0;
}

std::string PrivateMounts::describe(const Failure& failure) const {
  switch (failure.step) {
    case Step::kNamespace: return "make a mount namespace";
    case Step::kIdentity: return "map the user in a user namespace";
    case Step::kPrivacy: return "keep mounts private";
    case Step::kBind:
    case Step::kReadOnly: break;
  }
  const BindMount& mount = mounts_.at(failure.mount);
  return failure.step == Step::kBind ? "bind mount " + mount.src + " at " + mount.dst
                                     : "make the mount at " + mount.dst + " read only";
}

void try_mounts(const std::string& role, const std::vector<BindMount>& mounts) {
  const PrivateMounts wanted(mounts);
  if (wanted.empty()) return;
  struct {
    int error = 0;
    PrivateMounts::Failure failure;
  } answer;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw system_error(Code::kUnavailable, "cannot make", "a pipe", errno);
  const OwnedFd read_end(ends[0]);
  OwnedFd write_end(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw system_error(Code::kTemporary, "cannot start", "a process", errno);
  if (child == 0) {
    answer.error = wanted.enter(answer.failure);
    const ssize_t n = ::write(write_end.get(), &answer, sizeof answer);
    ::_exit(n == static_cast<ssize_t>(sizeof answer) ? 0 : 1);
  }
  write_end.reset();
  ssize_t n = 0;
  while ((n = ::read(read_end.get(), &answer, sizeof answer)) < 0 && errno == EINTR) {
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (n != static_cast<ssize_t>(sizeof answer)) {
    throw Error(Code::kTemporary, "cannot try the mounts: the process for it ended too early",
                "try again", role);
  }
  if (answer.error == 0) return;
  const bool is_missing_call = answer.failure.step == PrivateMounts::Step::kReadOnly &&
                               (answer.error == ENOSYS || answer.error == EPERM);
  const bool mounting = answer.failure.step == PrivateMounts::Step::kBind ||
                        answer.failure.step == PrivateMounts::Step::kReadOnly;
  throw Error(
      Code::kPrecondition,
      "cannot " + wanted.describe(answer.failure) + ": " + std::strerror(answer.error),
      is_missing_call ? "this system cannot make a mount and all below it read only: Linux 5.12 "
                        "can, unless a container forbids it; leave readonly out"
      : mounting      ? "source and destination must exist, be both directories or both files, and "
                        "be accessible to you"
                 : "this kernel does not let you mount (sysctl kernel.unprivileged_userns_clone, "
                   "user.max_user_namespaces, AppArmor); be root, or leave the mounts out",
      role);
}

std::string outside_path(const std::vector<BindMount>& mounts, const std::string& path) {
  std::string out = path;
  // enter() resolves the source of a mount inside the mounts before it.
  for (auto mount = mounts.rbegin(); mount != mounts.rend(); ++mount) {
    const std::string normal = plain_path(out);
    const std::string dst = plain_path(mount->dst);
    if (normal == dst) {
      out = mount->src;
    } else if (normal.starts_with(dst + '/')) {
      out = mount->src + normal.substr(dst.size());
    }
  }
  return out;
}

}  // namespace slipway::local
