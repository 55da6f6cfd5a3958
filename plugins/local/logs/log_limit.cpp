#include "plugins/local/logs/log_limit.hpp"

#include <fcntl.h>
#include <linux/falloc.h>

#include <cerrno>
#include <utility>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

bool LogLimit::apply(std::uint32_t index, LimitedFile file, const char* path, std::uint64_t size) {
  const auto piece = static_cast<std::uint64_t>(rules_.piece_bytes);
  const auto keep = static_cast<std::uint64_t>(rules_.keep_pieces);
  const std::uint64_t full = size / piece;
  if (full <= keep) return true;
  if (index >= freed_.size()) freed_.resize(std::size_t{index} + 1);
  const auto end = static_cast<std::uint32_t>(full - keep);
  const std::uint32_t begin = std::exchange(freed_[index][static_cast<std::size_t>(file)], end);
  if (end <= begin) return true;
  const OwnedFd fd(::openat(root_, path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) return errno == ENOENT;
  return ::fallocate(fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     static_cast<off_t>(begin * piece),
                     static_cast<off_t>((end - begin) * piece)) == 0;
}

}  // namespace slipway::local
