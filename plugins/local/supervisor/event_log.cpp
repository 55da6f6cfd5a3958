#include "plugins/local/supervisor/event_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cinttypes>
#include <cstdio>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMostBuffered = 16384;

}  // namespace

EventLog::EventLog(int dir_fd)
    : fd_(::openat(dir_fd, "events.log", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                   0600)) {
  struct stat info {};
  if (fd_ && ::fstat(fd_.get(), &info) == 0 && info.st_size == 0) buffer_ = "slipway-events 1\n";
}

void EventLog::add(std::uint64_t sequence, std::string_view text) {
  char head[64];
  const int length =
      std::snprintf(head, sizeof head, "%" PRIu64 " %" PRId64 " ", sequence, realtime_ns());
  line_.assign(head, static_cast<std::size_t>(length));
  line_ += text;
  std::snprintf(head, sizeof head, "%08" PRIx32 " ", crc32(line_));
  buffer_ += head;
  buffer_ += line_;
  buffer_ += '\n';
  if (buffer_.size() > kMostBuffered) flush();
}

void EventLog::flush() {
  if (buffer_.empty()) return;
  if (fd_) write_all(fd_.get(), buffer_);
  buffer_.clear();
}

}  // namespace slipway::local
