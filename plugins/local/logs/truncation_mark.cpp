#include "plugins/local/logs/truncation_mark.hpp"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

namespace slipway::local {
namespace {

constexpr off_t kPlace = off_t{1} << 41;  // below the largest file size of every usual file system
constexpr off_t kLength = 4096;
constexpr off_t kUnit = 512;  // of st_blocks

}  // namespace

bool set_truncation_mark(int fd) {
  return ::fallocate(fd, FALLOC_FL_KEEP_SIZE, kPlace, kLength) == 0 && has_truncation_mark(fd);
}

bool has_truncation_mark(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || info.st_size >= kPlace) return true;
  // An object of this type cannot be made in C++: it ends with an array of no elements.
  alignas(fiemap) char memory[sizeof(fiemap)] = {};
  auto* const request = reinterpret_cast<fiemap*>(memory);
  request->fm_start = static_cast<std::uint64_t>(kPlace);
  request->fm_length = static_cast<std::uint64_t>(kLength);
  // Without room for extents in the answer, the kernel only counts them.
  if (::ioctl(fd, FS_IOC_FIEMAP, request) == 0) return request->fm_mapped_extents > 0;
  // tmpfs does not answer. There, a file without holes has no other block than those of its size.
  // The blocks of a file with holes prove nothing.
  const off_t pages = (info.st_size + kLength - 1) / kLength;
  const bool has_hole = info.st_size > 0 && ::lseek(fd, 0, SEEK_HOLE) < info.st_size;
  return info.st_blocks * kUnit > pages * kLength || has_hole;
}

}  // namespace slipway::local
