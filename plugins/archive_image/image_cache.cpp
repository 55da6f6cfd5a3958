#include "plugins/archive_image/image_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>

#include "plugins/archive_image/content_digest.hpp"
#include "plugins/archive_image/system_error.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/tree_removal.hpp"
#include "slipway/ids.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway::archive_image {

namespace {

constexpr int kLockPauseMs = 50;  // between two tries to take the lock

OwnedFd open_lock(const std::string& path) {
  OwnedFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) throw system_error("open " + path);
  return fd;
}

void lock(const OwnedFd& fd, int operation, const std::string& path) {
  while (::flock(fd.get(), operation) != 0) {
    if (errno != EINTR) throw system_error("lock " + path);
  }
}

// Returns whether `path` still names the locked file.
bool is_named(const OwnedFd& fd, const std::string& path) {
  struct stat mine {};
  struct stat named {};
  return ::fstat(fd.get(), &mine) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

std::set<std::string> names_in(const std::string& path) {
  std::set<std::string> out;
  const DirectoryStream directory(::opendir(path.c_str()));
  while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr)
    out.insert(entry->d_name);
  return out;
}

// Returns the digest in the name of an unfinished image, `.<digest>.<random>`, or an empty text.
std::string digest_of_leftover(const std::string& name) {
  if (name.size() < kDigestLength + 3 || name[0] != '.' || name[kDigestLength + 1] != '.')
    return {};
  const std::string digest = name.substr(1, kDigestLength);
  return is_digest(digest) ? digest : std::string();
}

std::string unfinished_name(const std::string& digest) {
  return "." + digest + "." + make_unique_id("x");
}

}  // namespace

ImageCache::ImageCache(std::string root) : root_(std::move(root)), digests_(root_ + "/.digests") {}

bool ImageCache::holds(const std::string& digest) const {
  struct stat st {};
  return ::lstat(image_dir(digest).c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

void ImageCache::prepare() {
  if (root_fd_) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(root_).parent_path(), error);
  if (error) throw system_error("make the directory of " + root_, error.value());
  for (const std::string& path : {root_, root_ + "/.locks", root_ + "/.digests"}) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
      throw system_error("make the directory " + path);
  }
  OwnedFd fd(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0) throw system_error("open " + root_);
  // Replicas run programs from this directory. The uid of unmapped users stands for many users.
  if (st.st_uid != ::geteuid() || UserNamespace::of_process().is_unmapped(st.st_uid) ||
      (st.st_mode & 022) != 0) {
    throw Error(Code::kDenied, root_ + " belongs to another user or other users may write to it",
                "chmod 700 it, or set XDG_CACHE_HOME to a directory of your own");
  }
  root_fd_ = std::move(fd);
}

OwnedFd ImageCache::lock_for_use(const std::string& digest) const {
  const std::string path = lock_file(digest);
  for (;;) {
    OwnedFd fd = open_lock(path);
    // Waits only briefly: a process that holds the lock exclusively releases it as soon as it has
    // read the time of the last use and perhaps renamed the image.
    lock(fd, LOCK_SH, path);
    if (is_named(fd, path)) {
      ::futimens(fd.get(), nullptr);
      return fd;
    }
  }
}

OwnedFd ImageCache::wait_for_turn(const std::string& digest, const std::function<void()>& on_wait,
                                  const Call& call) const {
  const std::string path = lock_file(digest) + ".unpack";
  OwnedFd fd = open_lock(path);
  for (bool reported = false; ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;) {
    if (errno != EWOULDBLOCK && errno != EINTR) throw system_error("lock " + path);
    if (!reported) on_wait();
    reported = true;
    // Polls, because a blocking flock() cannot be cancelled and no event reports the release of a
    // lock: when a process is killed, the kernel reports the closed descriptor before it releases
    // the lock.
    pollfd cancelled{call.cancel_fd(), POLLIN, 0};
    ::poll(&cancelled, 1, kLockPauseMs);
    call.check();
  }
  return fd;
}

OwnedFd ImageCache::ensure(const std::string& digest, const Unpack& unpack,
                           const std::function<void()>& on_wait, const Call& call) {
  prepare();
  OwnedFd use = lock_for_use(digest);
  if (holds(digest)) return use;
  const OwnedFd turn = wait_for_turn(digest, on_wait, call);
  if (holds(digest)) return use;
  remove_leftovers(digest);
  unpack_into_place(digest, unpack);
  return use;
}

void ImageCache::unpack_into_place(const std::string& digest, const Unpack& unpack) {
  const std::string unfinished = unfinished_name(digest);
  if (::mkdirat(root_fd_.get(), unfinished.c_str(), 0700) != 0)
    throw system_error("make a directory in " + root_);
  try {
    const OwnedFd dir(::openat(root_fd_.get(), unfinished.c_str(),
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!dir) throw system_error("open a directory in " + root_);
    unpack(dir.get());
    // After a power failure the image must not exist without its files.
    if (::syncfs(dir.get()) != 0) throw system_error("write the image to " + root_);
    if (::renameat(root_fd_.get(), unfinished.c_str(), root_fd_.get(), digest.c_str()) != 0)
      throw system_error("put the image in place in " + root_);
  } catch (...) {
    remove_tree(root_fd_.get(), unfinished);
    throw;
  }
}

void ImageCache::remove_leftovers(const std::string& digest) {
  for (const std::string& name : names_in(root_)) {
    if (digest_of_leftover(name) == digest) remove_tree(root_fd_.get(), name);
  }
}

ImageCache::Removal ImageCache::remove_unused(const std::string& digest, std::int64_t oldest_ns) {
  const std::string path = lock_file(digest);
  std::string removed;
  {
    const OwnedFd fd = open_lock(path);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      ::futimens(fd.get(), nullptr);
      return Removal::kInUse;
    }
    struct stat st {};
    if (!is_named(fd, path) || ::fstat(fd.get(), &st) != 0) return Removal::kNothing;
    if (FileIdentity::of(st).modified_ns >= oldest_ns) return Removal::kNothing;
    if (holds(digest)) {
      removed = unfinished_name(digest);
      if (::renameat(root_fd_.get(), digest.c_str(), root_fd_.get(), removed.c_str()) != 0)
        return Removal::kFailed;
    }
    ::unlink((path + ".unpack").c_str());
    ::unlink(path.c_str());
  }
  // No process can see the image any more, so a long removal delays no other process.
  if (removed.empty()) return Removal::kNothing;
  return remove_tree(root_fd_.get(), removed) ? Removal::kFailed : Removal::kDone;
}

int ImageCache::sweep(std::int64_t oldest_ns) {
  prepare();
  digests_.forget_before(oldest_ns);
  int count = 0;
  std::set<std::string> unfinished;  // digests of unfinished images
  for (const std::string& name : names_in(root_)) {
    if (const std::string digest = digest_of_leftover(name); !digest.empty())
      unfinished.insert(digest);
  }
  for (const std::string& digest : unfinished) {
    const OwnedFd use = lock_for_use(digest);
    const OwnedFd turn = open_lock(lock_file(digest) + ".unpack");
    if (::flock(turn.get(), LOCK_EX | LOCK_NB) == 0) remove_leftovers(digest);
  }
  for (const std::string& name : names_in(root_ + "/.locks")) {
    struct stat st {};
    if (!is_digest(name) || ::lstat(lock_file(name).c_str(), &st) != 0) continue;
    if (FileIdentity::of(st).modified_ns < oldest_ns &&
        remove_unused(name, oldest_ns) == Removal::kDone)
      ++count;
  }
  return count;
}

std::vector<UnusedImage> ImageCache::unused() const {
  std::vector<UnusedImage> out;
  for (const std::string& name : names_in(root_ + "/.locks")) {
    if (!is_digest(name) || !holds(name)) continue;
    // NFS requires a writable descriptor for an exclusive lock. Creates no file, unlike
    // open_lock().
    const OwnedFd fd(::open(lock_file(name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    struct stat st {};
    // `fd` releases the lock at the end of this iteration.
    if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(fd.get(), &st) != 0) continue;
    out.push_back({image_dir(name), FileIdentity::of(st).modified_ns});
  }
  return out;
}

void ImageCache::remove(std::string_view dir) {
  const std::string digest(dir.substr(dir.rfind('/') + 1));
  if (!is_digest(digest) || image_dir(digest) != dir || !holds(digest)) return;
  prepare();
  switch (remove_unused(digest, std::numeric_limits<std::int64_t>::max())) {
    case Removal::kInUse:
      throw Error(Code::kPrecondition, "a process uses the image " + image_dir(digest));
    case Removal::kFailed:
      throw Error(Code::kCantCreate, "not all files of the image " + digest + " can be removed");
    case Removal::kDone:
    case Removal::kNothing: return;
  }
}

std::string default_cache_root() {
  const char* cache = ::secure_getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/slipway/images";
  const char* home = ::secure_getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/slipway/images";
  // A daemon may have no HOME; the password database also has the directory.
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(::geteuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr &&
      found->pw_dir != nullptr && *found->pw_dir == '/')
    return std::string(found->pw_dir) + "/.cache/slipway/images";
  throw Error(Code::kPrecondition, "the user has no home directory for unpacked images",
              "set HOME or XDG_CACHE_HOME");
}

}  // namespace slipway::archive_image
