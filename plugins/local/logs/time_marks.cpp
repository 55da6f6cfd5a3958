#include "plugins/local/logs/time_marks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

off_t offset_of_mark(std::uint32_t position) {
  return static_cast<off_t>(sizeof(TimesHeader) + std::size_t{position} * sizeof(TimeMark));
}

bool write_at(int fd, const void* bytes, std::size_t size, off_t at) {
  ssize_t length = 0;
  do {
    length = ::pwrite(fd, bytes, size, at);
  } while (length < 0 && errno == EINTR);
  if (length >= 0 && static_cast<std::size_t>(length) < size) errno = ENOSPC;
  return length == static_cast<ssize_t>(size);
}

}  // namespace

TimeMarkWriter::OpenMark& TimeMarkWriter::slot(std::uint32_t index) {
  if (index >= marks_.size()) marks_.resize(std::size_t{index} + 1);
  return marks_[index];
}

void TimeMarkWriter::start(std::uint32_t index, std::int64_t now_ns) {
  slot(index) = {now_ns, now_ns, 0, 0};
}

void TimeMarkWriter::resume(std::uint32_t index, std::int64_t copied_ns) {
  slot(index) = {0, copied_ns, 0, kUnread};
}

void TimeMarkWriter::restart(std::uint32_t index, const char* path, std::int64_t now_ns) {
  ::unlinkat(root_, path, 0);
  slot(index) = {0, now_ns, 0, 0};
}

bool TimeMarkWriter::grew(std::uint32_t index, const char* path, const CombinedCursor& before,
                          const CombinedCursor& after, std::int64_t now_ns) {
  OpenMark& mark = slot(index);
  const bool is_restarted = mark.first_ns == 0;
  const std::int64_t age = now_ns - (is_restarted ? mark.last_ns : mark.first_ns);
  // A negative age: the clock was set back.
  const bool full = mark.count == kUnread || age < 0 || age >= kLongMarkNs ||
                    (!is_restarted && age >= kMarkNs && mark.bytes >= kMarkBytes);
  if (full && begin_next(mark, path, before, after, now_ns)) return true;
  const int error = errno;
  const std::uint64_t bytes =
      mark.bytes + (after.out_offset - before.out_offset) + (after.err_offset - before.err_offset);
  mark.bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
  mark.last_ns = std::max(now_ns, mark.first_ns);
  errno = error;
  return !full;
}

bool TimeMarkWriter::begin_next(OpenMark& mark, const char* path, const CombinedCursor& before,
                                const CombinedCursor& after, std::int64_t now_ns) const {
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const OwnedFd fd(::openat(root_, path, kFlags, 0644));
  if (!fd) return false;
  std::uint32_t count = mark.count;
  TimeMark ended{mark.first_ns, mark.last_ns, before.out_offset, before.err_offset};
  if (count == kUnread) {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return false;
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
    count = size < sizeof(TimesHeader)
                ? 0
                : static_cast<std::uint32_t>((size - sizeof(TimesHeader)) / sizeof(TimeMark));
    TimeMark last{};
    // `copied_ns` may be a moment before the mark's `first_ns`, so it must not become an earlier
    // end.
    if (count > 0 &&
        ::pread(fd.get(), &last, sizeof last, offset_of_mark(count - 1)) == sizeof last) {
      ended.first_ns = last.first_ns;
      ended.last_ns = std::max(ended.last_ns, ended.first_ns);
    }
  }
  if (count == 0) {
    TimesHeader header{};
    std::memcpy(header.magic, kTimesMagic, sizeof header.magic);
    if (!write_at(fd.get(), &header, sizeof header, 0)) return false;
    count = 1;
  }
  const TimeMark both[2] = {ended, {now_ns, now_ns, after.out_offset, after.err_offset}};
  if (!write_at(fd.get(), both, sizeof both, offset_of_mark(count - 1))) return false;
  mark = {now_ns, now_ns, 0, count + 1};
  return true;
}

}  // namespace slipway::local
