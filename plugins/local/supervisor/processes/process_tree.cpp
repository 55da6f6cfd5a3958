#include "plugins/local/supervisor/processes/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "plugins/local/engine/process_handle.hpp"
#include "plugins/local/supervisor/processes/process_identity.hpp"
#include "sdk/support/directory_stream.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

using Pids = std::vector<std::int32_t>;

/// Appends the pids in the file `path`, which are separated by spaces.
void append_children(int dir_fd, const char* path, Pids& out) {
  OwnedFd fd(::openat(dir_fd, path, O_RDONLY | O_CLOEXEC));
  if (!fd) return;
  char buffer[4096];
  std::int32_t pid = 0;
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;) {
    for (const char* at = buffer; at != buffer + n; ++at) {
      if (*at >= '0' && *at <= '9') {
        pid = pid * 10 + (*at - '0');
      } else if (pid != 0) {
        out.push_back(pid);
        pid = 0;
      }
    }
  }
  if (pid != 0) out.push_back(pid);
}

/// Appends the children of all threads of `pid`: each thread has its own list.
void append_children_of(std::int32_t pid, Pids& out) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  struct stat info {};
  if (::stat(path, &info) != 0) return;
  // A directory has two links and one for each subdirectory, here a thread. Most processes have
  // one thread.
  if (info.st_nlink == 3) {
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    return append_children(AT_FDCWD, path, out);
  }
  const DirectoryStream tasks(::opendir(path));
  while (const dirent* entry = tasks ? ::readdir(tasks.get()) : nullptr) {
    if (entry->d_name[0] == '.') continue;
    const std::string file = std::string(entry->d_name) + "/children";
    append_children(::dirfd(tasks.get()), file.c_str(), out);
  }
}

/// Deeper than any real tree. Ends the walk if parents change while it reads them.
constexpr int kDeepest = 4096;

/// Returns whether `pid` descends from this process, by the chain of its parents.
bool is_descendant(std::int32_t pid) {
  const auto self = static_cast<std::int32_t>(::getpid());
  ProcessStat stat;
  for (int depth = 0; depth < kDeepest && pid > 1 && read_process(pid, stat); ++depth) {
    if (stat.parent == self) return true;
    pid = stat.parent;
  }
  return false;
}

}  // namespace

Pids direct_children() {
  Pids children;
  char path[64];
  // This process has one thread.
  std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(::getpid()));
  append_children(AT_FDCWD, path, children);
  return children;
}

Pids all_descendants() {
  Pids found = direct_children();
  for (std::size_t i = 0; i < found.size(); ++i) append_children_of(found[i], found);
  return found;
}

bool signal_descendant(std::int32_t pid, int signal) {
  return ProcessHandle(pid, [pid] { return is_descendant(pid); }).send(signal);
}

}  // namespace slipway::local
