#include "plugins/local/engine/disk_use.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <string_view>

#include "sdk/support/directory_stream.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr int kDeepest = 64;  // a replica may have made deeper directories in its logs

class Measurement {
 public:
  explicit Measurement(dev_t device) : device_(device) {}

  void add(int dir_fd, const char* name, int depth) {
    struct stat info {};
    if (::fstatat(dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_dev != device_) return;
    bytes += std::int64_t{info.st_blocks} * 512;
    if (!S_ISDIR(info.st_mode) || depth == kDeepest) return;
    OwnedFd fd(::openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    const DirectoryStream entries(fd ? ::fdopendir(fd.get()) : nullptr);
    if (!entries) return;
    const int own = fd.release();  // the stream closes it
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view each = entry->d_name;
      if (each != "." && each != "..") add(own, entry->d_name, depth + 1);
    }
  }

  std::int64_t bytes = 0;

 private:
  dev_t device_;
};

}  // namespace

std::int64_t disk_use(int dir_fd, const std::string& name) {
  struct stat info {};
  if (::fstatat(dir_fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  Measurement out(info.st_dev);
  out.add(dir_fd, name.c_str(), 0);
  return out.bytes;
}

}  // namespace slipway::local
