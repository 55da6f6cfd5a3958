#include "plugins/local/logs/combined_copier.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/logs/truncation_mark.hpp"
#include "sdk/support/line_cut.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr bool kStdoutFirst = false;  // a value of `stderr_first`
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kBufferSize = 128 * 1024;  // bytes
/// Number of times that whole_writes() looks for a moment without a write.
constexpr int kLooks = 8;
// A replica may put anything in the place of its files, so open() must follow no link and not wait
// for a FIFO.
constexpr int kRead = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
constexpr int kWrite = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

/// Changes a word of a cursor, which other processes read meanwhile. Takes effect after the write
/// of the bytes that it counts.
void store(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_release);
}

std::string_view stream_name(bool is_stderr) { return is_stderr ? kStderrName : kStdoutName; }

std::uint64_t& offset_of(CombinedCursor& cursor, bool is_stderr) {
  return is_stderr ? cursor.err_offset : cursor.out_offset;
}

}  // namespace

CombinedCopier::CombinedCopier(int log_root_fd, const LogRules& rules)
    : root_(log_root_fd), cuts_(log_root_fd) {
  if (rules.times) times_.emplace(root_);
  if (rules.piece_bytes > 0) limit_.emplace(root_, rules);
}

void CombinedCopier::start(std::uint32_t replica) {
  if (times_) times_->start(replica, realtime_ns());
}

const char* CombinedCopier::file(const LogPlace& place, std::string_view name) {
  path_ = *place.directory;
  if (place.number != LogPlace::kNoNumber) {
    std::array<char, 16> digits;
    path_.append(digits.data(), std::to_chars(digits.begin(), digits.end(), place.number).ptr);
    path_ += '/';
  }
  path_ += name;
  return path_.c_str();
}

CombinedCopier::FileLook CombinedCopier::look_at(const LogPlace& place, std::string_view name) {
  struct stat status {};
  if (::fstatat(root_, file(place, name), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(status.st_mode))
    return {};
  return {true, static_cast<std::uint64_t>(status.st_size), ns(status.st_mtim)};
}

bool CombinedCopier::exists(const LogPlace& place, std::string_view name) {
  struct stat status {};
  return ::fstatat(root_, file(place, name), &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

/// Returns the offset at which the kept part of a stream begins.
std::uint64_t CombinedCopier::data_start(const LogPlace& place, std::string_view name) {
  const OwnedFd fd(::openat(root_, file(place, name), kRead));
  const off_t start = fd ? ::lseek(fd.get(), 0, SEEK_DATA) : -1;
  return start > 0 ? static_cast<std::uint64_t>(start) : 0;
}

StreamSizes CombinedCopier::sizes(const CopyJob& job) {
  return {end_of(job, false), end_of(job, true)};
}

/// Returns the end of a stream as a value of its cursor. Notes a truncation since the last look.
std::uint64_t CombinedCopier::end_of(const CopyJob& job, bool is_stderr) {
  const std::uint64_t offset = offset_of(*job.cursor, is_stderr);
  const FileLook look = look_at(job.place, stream_name(is_stderr));
  if (!look.exists) return offset;
  const std::uint64_t end = cuts_.cut_bytes({job.replica, is_stderr}) + look.size;
  if (end > offset || (end == offset && !is_rewritten(job, is_stderr, look))) return end;
  note_cut(job, is_stderr);
  return offset + look.size;
}

/// Returns whether a file that is as long as its copied bytes now has other bytes.
bool CombinedCopier::is_rewritten(const CopyJob& job, bool is_stderr, const FileLook& look) {
  // Longest file, in bytes, for which a changed time counts. Some programs write messages of the
  // same length again and again. A longer file with the same end is treated as unchanged.
  constexpr std::uint64_t kMessage = 4096;
  const StreamKey key{job.replica, is_stderr};
  if (look.size == 0 || !cuts_.is_suspect(key, look.changed_ns, realtime_ns())) return false;
  const std::string_view name = stream_name(is_stderr);
  const OwnedFd fd(::openat(root_, file(job.place, name), kRead));
  // A write changes the time before the size. On most file systems this call waits for the lock of
  // a writer, so a write that had changed the time at the look has also changed the size by now.
  // Another write may begin at any moment, so the comparison uses the time of the look.
  if (!fd || ::lseek(fd.get(), 0, SEEK_HOLE) < 0) return false;
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || static_cast<std::uint64_t>(status.st_size) != look.size)
    return false;
  std::array<char, CutStreams::kTail> bytes;
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(look.size, bytes.size()));
  const ssize_t got =
      ::pread(fd.get(), bytes.data(), length, static_cast<off_t>(look.size - length));
  if (got != static_cast<ssize_t>(length)) return false;
  const std::string_view tail(bytes.data(), length);
  if (!cuts_.is_same(key, tail)) return true;
  // A write changes only the time if the disk is full, or if a signal ends the process during the
  // write. For a file longer than kMessage, a changed time alone is no reason to copy it again.
  struct statvfs disk {};
  const bool has_room = ::fstatvfs(fd.get(), &disk) == 0 && disk.f_bavail > 0;
  const bool time_counts = has_room && !job.ignores_time && look.size <= kMessage;
  if (time_counts && cuts_.has_changed(key, look.changed_ns)) return true;
  cuts_.remember(key, tail, look.changed_ns);
  return false;
}

/// Notes that the file of a stream was truncated after the bytes before the cursor were copied.
void CombinedCopier::note_cut(const CopyJob& job, bool is_stderr) {
  const LogPlace& place = job.place;
  const std::uint64_t offset = offset_of(*job.cursor, is_stderr);
  const StreamKey key{job.replica, is_stderr};
  error_ = truncated(place, is_stderr,
                     "combined.log has the output that was in the file for some milliseconds");
  if (!cuts_.note(key, offset, file(place, kCutsName))) fail("write", place, kCutsName);
}

bool CombinedCopier::has_marks(const LogPlace& place) {
  for (const std::string_view name : {kStdoutName, kStderrName}) {
    const OwnedFd fd(::openat(root_, file(place, name), kRead));
    if (!fd || !has_truncation_mark(fd.get())) return false;
  }
  return true;
}

void CombinedCopier::check_marks(const CopyJob& job) {
  for (const bool is_stderr : {false, true}) {
    const std::string_view name = stream_name(is_stderr);
    const OwnedFd fd(::openat(root_, file(job.place, name), kRead));
    if (fd && !has_truncation_mark(fd.get()) && cuts_.cut_bytes({job.replica, is_stderr}) == 0)
      error_ = truncated(job.place, is_stderr, "lines that were there may be lost");
  }
}

/// Returns the message about a file that was truncated. `consequence` says what it means for the
/// logs.
std::string CombinedCopier::truncated(const LogPlace& place, bool is_stderr,
                                      const char* consequence) {
  const std::string device = is_stderr ? "/dev/stderr" : "/dev/stdout";
  return file(place, stream_name(is_stderr)) + std::string(" was truncated, as by \"> ") + device +
         "\"; " + consequence + "; \">> " + device + "\" truncates nothing";
}

void CombinedCopier::check(const CopyJob& job) {
  const LogPlace& place = job.place;
  CombinedCursor& cursor = *job.cursor;
  struct stat status {};
  const bool exists =
      ::fstatat(root_, file(place, kCombinedName), &status, AT_SYMLINK_NOFOLLOW) == 0;
  const auto size = exists && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size)
                                                      : std::uint64_t{0};
  if (sum(cursor) > 0) {
    if (times_) times_->resume(job.replica, exists ? ns(status.st_mtim) : 0);
    cuts_.load(job.replica, file(place, kCutsName));
  }
  if (size == sum(cursor)) return;
  // If bytes are missing, their order is lost. The file is emptied before the cursors are set back,
  // so that a successor of a supervisor that was killed here repeats this.
  const bool restart = size < sum(cursor);
  if (size > 0) {
    const OwnedFd combined(::openat(root_, file(place, kCombinedName), kWrite));
    const std::uint64_t wanted = restart ? 0 : sum(cursor);
    if (!combined || ::ftruncate(combined.get(), static_cast<off_t>(wanted)) != 0) {
      fail("cut", place, kCombinedName);
      return;
    }
  }
  if (restart) {
    cuts_.forget(job.replica, file(place, kCutsName));
    if (times_) times_->restart(job.replica, file(place, kTimesName), realtime_ns());
    store(cursor.out_offset, limit_ ? data_start(place, kStdoutName) : 0);
    store(cursor.err_offset, limit_ ? data_start(place, kStderrName) : 0);
  }
}

std::uint64_t CombinedCopier::copy_lines(const CopyJob& job, const StreamSizes& sizes,
                                         std::uint64_t limit, bool stderr_first) {
  const CombinedCursor before = *job.cursor;
  const std::uint64_t copied = drain(job, sizes, limit, stderr_first, PartialLine::kLeave);
  follow_up(job, before);
  return copied;
}

bool CombinedCopier::ends_with_progress_bar(const CopyJob& job, const StreamSizes& sizes) {
  std::array<char, 4096> bytes;
  for (const bool is_stderr : {false, true}) {
    const std::uint64_t end = is_stderr ? sizes.err : sizes.out;
    if (end == offset_of(*job.cursor, is_stderr)) continue;
    const OwnedFd fd(::openat(root_, file(job.place, stream_name(is_stderr)), kRead));
    const std::uint64_t size = end - cuts_.cut_bytes({job.replica, is_stderr});
    const std::uint64_t from = size - std::min<std::uint64_t>(size, bytes.size());
    const ssize_t length =
        fd ? ::pread(fd.get(), bytes.data(), size - from, static_cast<off_t>(from)) : -1;
    if (length <= 0) continue;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(length));
    if (up_to_last('\r', text) > up_to_last('\n', text)) return true;
  }
  return false;
}

std::uint64_t CombinedCopier::copy_unfinished(const CopyJob& job, const StreamSizes& sizes,
                                              std::uint64_t limit) {
  const CombinedCursor before = *job.cursor;
  const std::uint64_t copied = drain(job, sizes, limit, kStdoutFirst, PartialLine::kCopy);
  follow_up(job, before);
  return copied;
}

void CombinedCopier::copy_all(const CopyJob& job, const StreamSizes& sizes, bool stderr_first) {
  const CombinedCursor before = *job.cursor;
  drain(job, sizes, kNoLimit, stderr_first, PartialLine::kLeave);
  const CombinedCursor& cursor = *job.cursor;
  if (cursor.out_offset < sizes.out || cursor.err_offset < sizes.err) {
    if (const auto whole = whole_writes(job)) {
      // The whole lines of both streams come before a partial line of either.
      drain(job, *whole, kNoLimit, kStdoutFirst, PartialLine::kLeave);
      drain(job, *whole, kNoLimit, kStdoutFirst, PartialLine::kCopy);
    }
  }
  follow_up(job, before);
}

/// Returns the sizes of the streams at a moment when no write is under way; nullopt if a process
/// writes continuously.
std::optional<StreamSizes> CombinedCopier::whole_writes(const CopyJob& job) {
  for (int look = 0; look < kLooks; ++look) {
    const StreamSizes seen = sizes(job);
    for (const std::string_view name : {kStdoutName, kStderrName}) {
      const OwnedFd fd(::openat(root_, file(job.place, name), kRead));
      // For this call, most file systems take the lock that a writer holds.
      if (fd) ::lseek(fd.get(), 0, SEEK_HOLE);
    }
    if (sizes(job) == seen) return seen;
  }
  return std::nullopt;
}

std::uint64_t CombinedCopier::drain(const CopyJob& job, const StreamSizes& sizes,
                                    std::uint64_t limit, bool stderr_first,
                                    PartialLine partial_line) {
  std::uint64_t copied = 0;
  for (const bool is_stderr : {stderr_first, !stderr_first}) {
    copied += copy(job, is_stderr, is_stderr ? sizes.err : sizes.out, limit, partial_line);
  }
  return copied;
}

/// Copies a stream up to `size`, a value of its cursor, but at most about `limit` bytes.
std::uint64_t CombinedCopier::copy(const CopyJob& job, bool is_stderr, std::uint64_t size,
                                   std::uint64_t limit, PartialLine partial_line) {
  const LogPlace& place = job.place;
  CombinedCursor& cursor = *job.cursor;
  std::uint64_t& offset = offset_of(cursor, is_stderr);
  if (size <= offset) return 0;
  const std::string_view name = stream_name(is_stderr);
  const OwnedFd stream(::openat(root_, file(place, name), kRead));
  if (!stream) {
    fail("open", place, name);
    return 0;
  }
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBufferSize);
  const StreamKey key{job.replica, is_stderr};
  // The cursor as an offset in the file.
  const auto in_file = [&] { return offset - cuts_.cut_bytes(key); };
  std::string tail;  // the last copied bytes, for CutStreams::remember()
  OwnedFd combined;
  const auto open_combined = [&] {
    if (!combined)
      combined.reset(::openat(root_, file(place, kCombinedName), kWrite | O_CREAT, 0644));
    return static_cast<bool>(combined);
  };
  std::uint64_t copied = 0;
  while (offset < size && copied < limit) {
    // Reads the last copied bytes again, to see whether they are still there.
    const auto back =
        static_cast<std::size_t>(std::min<std::uint64_t>(in_file(), CutStreams::kTail));
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - offset + back, kBufferSize));
    const ssize_t length =
        ::pread(stream.get(), buffer_.get(), wanted, static_cast<off_t>(in_file() - back));
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) fail("read", place, name);
    if (length <= static_cast<ssize_t>(back)) break;
    const std::string_view seen(buffer_.get(), static_cast<std::size_t>(length));
    if (!cuts_.is_same(key, seen.substr(0, back))) {
      // The file was written again and is longer than before. All of it follows the cursor now, so
      // its end moves by the bytes in front of the cursor.
      size += in_file();
      note_cut(job, is_stderr);
      tail.clear();
      continue;
    }
    const std::string_view bytes = seen.substr(back);
    std::uint64_t next = 0;
    if (in_hole(stream.get(), in_file(), bytes, next)) {
      tail = seen.substr(0, back);
      if (open_combined() && skip_hole(job, is_stderr, combined.get(), next - in_file(), tail))
        continue;
      fail("write", place, kCombinedName);
      break;
    }
    const bool copies_all = partial_line == PartialLine::kCopy && offset + bytes.size() == size;
    const std::size_t cut = whole_states(bytes, copies_all);
    if (cut == 0) break;
    if (!open_combined() || !append(combined.get(), bytes.substr(0, cut), sum(cursor))) {
      fail("write", place, kCombinedName);
      break;
    }
    store(offset, offset + cut);
    copied += cut;
    const std::string_view done = seen.substr(0, back + cut);
    tail = done.substr(done.size() - std::min(done.size(), CutStreams::kTail));
    cuts_.remember(key, tail, 0);
  }
  struct stat status {};
  if (!tail.empty() && ::fstat(stream.get(), &status) == 0 &&
      static_cast<std::uint64_t>(status.st_size) == in_file()) {
    cuts_.remember(key, tail, ns(status.st_mtim));
  }
  return copied;
}

/// Skips bytes that a replica never wrote, such as those of `truncate -s 1T`: combined.log gets the
/// same hole. Appends the end of the hole to `tail`, the bytes in front of the cursor.
bool CombinedCopier::skip_hole(const CopyJob& job, bool is_stderr, int combined,
                               std::uint64_t length, std::string& tail) {
  CombinedCursor& cursor = *job.cursor;
  std::uint64_t& offset = offset_of(cursor, is_stderr);
  if (::ftruncate(combined, static_cast<off_t>(sum(cursor) + length)) != 0) return false;
  store(offset, offset + length);
  tail.append(std::min<std::uint64_t>(length, CutStreams::kTail), '\0');
  cuts_.remember({job.replica, is_stderr}, tail, 0);
  return true;
}

bool CombinedCopier::append(int combined, std::string_view bytes, std::uint64_t at) {
  // At the cursor and not at the end, to overwrite the leftovers of a failed append().
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t length = ::pwrite(combined, bytes.data() + written, bytes.size() - written,
                                    static_cast<off_t>(at + written));
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) {
      const int saved = length == 0 ? ENOSPC : errno;
      // Readers must see no half line, and a full disk needs its blocks. If this also fails, the
      // next append() overwrites the leftovers.
      [[maybe_unused]] const int cut =
          written == 0 ? 0 : ::ftruncate(combined, static_cast<off_t>(at));
      errno = saved;
      return false;
    }
    written += static_cast<std::size_t>(length);
  }
  return true;
}

/// Writes time marks and applies the limit for the progress since `before`.
void CombinedCopier::follow_up(const CopyJob& job, const CombinedCursor& before) {
  const LogPlace& place = job.place;
  const CombinedCursor& cursor = *job.cursor;
  if (sum(cursor) == sum(before)) return;
  if (times_ && !times_->grew(job.replica, file(place, kTimesName), before, cursor, realtime_ns()))
    fail("write", place, kTimesName);
  if (!limit_) return;
  const auto apply = [&](LimitedFile which, std::string_view name, std::uint64_t size) {
    if (!limit_->apply(job.replica, which, file(place, name), size)) fail("limit", place, name);
  };
  apply(LimitedFile::kStdout, kStdoutName,
        cursor.out_offset - cuts_.cut_bytes({job.replica, false}));
  apply(LimitedFile::kStderr, kStderrName,
        cursor.err_offset - cuts_.cut_bytes({job.replica, true}));
  apply(LimitedFile::kCombined, kCombinedName, sum(cursor));
}

void CombinedCopier::fail(const char* action, const LogPlace& place, std::string_view name) {
  const int saved = errno;
  error_ = std::string("cannot ") + action + " " + file(place, name) + ": " + std::strerror(saved);
}

}  // namespace slipway::local
