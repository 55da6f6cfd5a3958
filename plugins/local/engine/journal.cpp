#include "plugins/local/engine/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/checksum.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMostBuffered = 16384;  // bytes in memory before add() writes them

/// Returns the part of the first line that a file of `size` bytes lacks.
std::string rest_of_first_line(std::uint64_t size) {
  std::string line = std::string(kEventsVersion) + '\n';
  return line.erase(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, line.size())));
}

}  // namespace

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 20> digits;
  out.append(digits.data(),
             std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

EventLog::EventLog(int dir_fd) : dir_fd_(dir_fd) { open(); }

bool EventLog::open() {
  if (fd_) return true;
  OwnedFd file = create_private_file(dir_fd_, kEventsName, O_RDWR | O_APPEND);
  if (!file && errno == EEXIST) file = open_regular(dir_fd_, kEventsName, O_RDWR | O_APPEND);
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) return false;
  fd_ = std::move(file);
  size_ = static_cast<std::uint64_t>(info.st_size);
  room_ = size_;
  char last = '\n';
  if (const std::string rest = rest_of_first_line(size_); !rest.empty()) {
    buffer_ = rest + buffer_;
  } else if (::pread(fd_.get(), &last, 1, info.st_size - 1) == 1 && last != '\n') {
    // A predecessor was killed while it wrote this line. End it before the next one.
    buffer_ = '\n' + buffer_;
  }
  return true;
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

bool EventLog::flush() {
  if (buffer_.empty()) return true;
  if (!fd_) errno = EBADF;
  const bool written = fd_ && write_all(fd_.get(), buffer_);
  if (written) size_ += buffer_.size();
  buffer_.clear();
  if (written || !fd_) return written;
  const int error = errno;
  struct stat info {};
  if (::fstat(fd_.get(), &info) == 0) size_ = static_cast<std::uint64_t>(info.st_size);
  // Completes the first line, without which no reader accepts the file. The line break ends a line
  // that was written in part; otherwise it makes an empty line, which readers skip.
  buffer_ = rest_of_first_line(size_) + '\n';
  errno = error;
  return false;
}

bool EventLog::reserve(std::uint64_t bytes) {
  constexpr std::uint64_t kGrowth = 65536;  // bytes in excess, so that few calls allocate
  if (!open()) return false;
  const std::uint64_t needed = size_ + buffer_.size() + bytes;
  if (needed <= room_) return true;
  const std::uint64_t room = needed + kGrowth;
  int result = 0;
  do {
    result = ::fallocate(fd_.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(room));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) return false;
  room_ = room;
  return true;
}

void EventLog::release() {
  struct stat info {};
  // Truncating a file to its own size frees the blocks behind its end.
  if (room_ > size_ && ::fstat(fd_.get(), &info) == 0) ::ftruncate(fd_.get(), info.st_size);
  room_ = size_;
}

void EventLog::sync() {
  if (fd_) ::fdatasync(fd_.get());
}

}  // namespace slipway::local
