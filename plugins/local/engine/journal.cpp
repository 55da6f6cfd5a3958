#include "plugins/local/engine/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMostBuffered = 16384;

}  // namespace

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 20> digits;
  out.append(digits.data(),
             std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

EventLog::EventLog(int dir_fd)
    : fd_(create_private_file(dir_fd, kEventsName, O_WRONLY | O_APPEND)) {
  if (!fd_ && errno == EEXIST) fd_ = open_regular(dir_fd, kEventsName, O_WRONLY | O_APPEND);
  struct stat info {};
  if (fd_ && ::fstat(fd_.get(), &info) == 0 && info.st_size == 0) {
    buffer_ = kEventsVersion;
    buffer_ += '\n';
  }
}

void EventLog::add(std::uint64_t sequence, std::string_view text) {
  add(sequence, text, realtime_ns());
}

void EventLog::add(std::uint64_t sequence, std::string_view text, std::int64_t time_ns) {
  line_.clear();
  append_number(line_, static_cast<std::int64_t>(sequence));
  line_ += ' ';
  append_number(line_, time_ns);
  line_ += ' ';
  line_ += text;
  std::array<char, 9> checksum;
  const std::uint32_t crc = crc32(line_);
  for (std::size_t digit = 0; digit < 8; ++digit)
    checksum[digit] = "0123456789abcdef"[crc >> (28U - 4U * digit) & 15U];
  checksum[8] = ' ';
  buffer_.append(checksum.data(), checksum.size());
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
