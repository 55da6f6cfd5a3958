#include "plugins/local/logs/log_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/logs/log_limit.hpp"
#include "sdk/support/line_cut.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;

// Limits of the bytes that one source delivers at its turn, and that one next() delivers.
constexpr std::uint64_t kReaderTurnBytes = 1024 * 1024;
constexpr std::uint64_t kCallBytes = 4 * 1024 * 1024;

// Limits of the pause between two passes over the sources: long enough that many writes cost one
// wake-up, short enough that a reader does not notice. Between them, the pause is four times as
// long as the pass before it, because the writers also need the processor.
constexpr std::chrono::nanoseconds kPauseMin = std::chrono::milliseconds(2);
constexpr std::chrono::nanoseconds kPauseMax = std::chrono::milliseconds(20);

bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

// Returns whether a replica has truncated the file. combined.log may become shorter for a moment:
// after a take-over the successor cuts its end and writes the same bytes again.
bool was_truncated(Stream stream, int fd, std::uint64_t offset) {
  struct stat status {};
  return stream != Stream::kCombined && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<std::uint64_t>(status.st_size) < offset;
}

}  // namespace

LogReader::LogReader(std::vector<LogSource> sources, bool follow, TimeRange range)
    : sources_(std::move(sources)),
      follow_(follow),
      range_(range),
      positions_(sources_.size()),
      live_(sources_.size()),
      open_files_(std::min(kOpenFiles, std::max<std::size_t>(sources_.size(), 1))),
      buffer_(std::make_unique_for_overwrite<char[]>(kReadBytes)) {
  if (!follow_) return;
  watches_.open();
  queue_.reserve(sources_.size());
  for (std::uint32_t index = 0; index < sources_.size(); ++index) enqueue(index);
}

LogReader::Next LogReader::next(std::chrono::milliseconds timeout, const Sink& sink) {
  // Beyond a year the sum could overflow, and a caller could not notice the difference.
  const bool limited = timeout.count() >= 0 && timeout < std::chrono::hours(365 * 24);
  const Clock::time_point deadline = limited ? Clock::now() + timeout : Clock::time_point::max();
  while (!cancelled_) {
    if (!follow_ || app_ended_ || live_ == 0) return read_out(sink);
    if (pass_next_ < pass_.size()) {
      if (look_at_queue(sink)) return cancelled_ ? Next::kCancelled : Next::kChunks;
      continue;
    }
    if (!wait(deadline)) return Next::kTimeout;
  }
  return Next::kCancelled;
}

void LogReader::cancel() noexcept {
  cancelled_ = true;
  wake_.raise();
}

void LogReader::app_ended() noexcept {
  app_ended_ = true;
  wake_.raise();
}

void LogReader::watch(int fd, std::function<void()> on_wake) {
  user_fd_ = fd;
  on_wake_ = std::move(on_wake);
}

/// Delivers the rest of the sources, one after the other, each up to its size when its turn comes.
/// One call delivers at most about kCallBytes.
LogReader::Next LogReader::read_out(const Sink& sink) {
  std::uint64_t delivered = 0;
  while (final_index_ < sources_.size() && delivered < kCallBytes) {
    if (cancelled_) return Next::kCancelled;
    const std::uint32_t index = final_index_;
    const Position& position = positions_[index];
    if (!position.done && !final_started_) {
      struct stat status {};
      const bool exists = ::stat(sources_[index].path.c_str(), &status) == 0;
      if (!exists && !is_missing(errno)) give_up(index, errno);
      if (exists && !S_ISREG(status.st_mode)) give_up(index, EINVAL);
      // A writer that is faster than the reader must not make this endless.
      final_size_ = exists ? static_cast<std::uint64_t>(status.st_size) : 0;
      final_started_ = true;
      if (position.offset > final_size_ && sources_[index].stream != Stream::kCombined)
        restart(index);
    }
    bool complete = position.done || position.offset >= final_size_;
    if (!complete) {
      const int fd = open_file(index);
      if (fd < 0 && !is_missing(errno)) give_up(index, errno);
      complete = fd < 0;
      if (fd >= 0) {
        begin(index, fd);
        const Delivery delivery =
            deliver(index, fd, final_size_, kCallBytes - delivered, PartialLine::kDeliver, sink);
        delivered += delivery.bytes;
        complete = delivery.at_end || position.offset >= final_size_;
      }
    }
    if (!complete) continue;
    close_file(index);
    ++final_index_;
    final_started_ = false;
  }
  if (cancelled_) return Next::kCancelled;
  return delivered > 0 ? Next::kChunks : Next::kEnd;
}

/// Delivers new bytes of the sources in this pass, at most about kCallBytes. Returns whether there
/// were any.
bool LogReader::look_at_queue(const Sink& sink) {
  const Clock::time_point start = Clock::now();
  std::uint64_t delivered = 0;
  while (pass_next_ < pass_.size() && delivered < kCallBytes && !cancelled_) {
    const std::uint32_t index = pass_[pass_next_++];
    positions_[index].queued = false;
    if (!positions_[index].done) delivered += look(index, sink);
  }
  const Clock::time_point now = Clock::now();
  pass_time_ += now - start;
  if (pass_next_ == pass_.size()) {
    const bool pauses = !std::exchange(pass_left_old_bytes_, false);
    next_pass_ = pauses ? now + std::clamp(4 * pass_time_, kPauseMin, kPauseMax) : now;
  }
  return delivered > 0;
}

/// Delivers new bytes of a source, and decides how the reader notices the next ones. Returns the
/// number of bytes.
std::uint64_t LogReader::look(std::uint32_t index, const Sink& sink) {
  const bool ended = sources_[index].ended;
  const int fd = open_file(index);
  if (fd < 0) {
    if (!is_missing(errno)) give_up(index, errno);
    if (ended) {
      set_done(index);
    } else {
      await_file(index);
    }
    return 0;
  }
  begin(index, fd);
  const std::uint64_t no_end = ~std::uint64_t{0};
  // If the sink throws, the source must stay in the queue.
  enqueue(index);
  const bool overdue = std::exchange(positions_[index].overdue, false);
  const PartialLine partial_line = ended || overdue ? PartialLine::kDeliver : PartialLine::kAwait;
  const Delivery delivery = deliver(index, fd, no_end, kReaderTurnBytes, partial_line, sink);
  const bool has_more = delivery.bytes > 0 && !delivery.at_end;
  if (has_more && positions_[index].offset < positions_[index].old_end) pass_left_old_bytes_ = true;
  if (ended && delivery.at_end) {
    set_done(index);
  } else if (delivery.bytes == 0 && delivery.at_end && !ended) {
    // Only a quiet source gets a watch. The reader looks at a busy one again in the next pass, and
    // its writes cause no events.
    positions_[index].queued = false;
    queue_.pop_back();
    if (delivery.end > positions_[index].offset) await_rest(index);
    watch_file(index, fd, delivery.end);
  }
  return delivery.bytes;
}

/// Delivers a source from its position up to the offset `end`, but at most about `limit` bytes.
LogReader::Delivery LogReader::deliver(std::uint32_t index, int fd, std::uint64_t end,
                                       std::uint64_t limit, PartialLine partial_line,
                                       const Sink& sink) {
  Position& position = positions_[index];
  std::uint64_t& offset = position.offset;
  Delivery delivery;
  while (delivery.bytes < limit && offset < end && !cancelled_) {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(end - offset, kReadBytes));
    const ssize_t length = ::pread(fd, buffer_.get(), wanted, static_cast<off_t>(offset));
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) give_up(index, errno);
    std::string_view bytes(buffer_.get(), length > 0 ? static_cast<std::size_t>(length) : 0);
    if (length == 0 && was_truncated(sources_[index].stream, fd, offset)) {
      restart(index);
      continue;
    }
    delivery.end = offset + bytes.size();
    delivery.at_end = bytes.size() < wanted;
    const std::size_t gone = skip_hole(position, fd, bytes);
    if (position.in_line) {
      // A hole may end behind the bytes that were read, and before the end of the file.
      delivery.at_end = delivery.at_end && offset == delivery.end;
      if (delivery.at_end) break;
      continue;
    }
    bytes.remove_prefix(gone);
    const bool final_piece =
        partial_line == PartialLine::kDeliver && (delivery.at_end || delivery.end >= end);
    const std::size_t cut =
        follow_ ? whole_states(bytes, final_piece) : whole_lines(bytes, final_piece);
    if (cut == 0) break;
    hand_over(index, fd, bytes.substr(0, cut), sink);
    delivery.bytes += cut;
    // A read that filled the buffer does not show whether the file ends there; the next read does.
    if (delivery.at_end) break;
  }
  return delivery;
}

/// Sets where to start in a source and where its old part ends, before the first read.
void LogReader::begin(std::uint32_t index, int fd) {
  Position& position = positions_[index];
  if (std::exchange(position.begun, true)) return;
  struct stat status {};
  if (::fstat(fd, &status) == 0 && status.st_size > 0)
    position.old_end = static_cast<std::uint64_t>(status.st_size);
  if (!range_.bounded()) return;
  const LineTimes::Part part = times(index, fd).part(range_);
  // A follower must start somewhere, because it continues with later bytes.
  const bool none = part.begin == part.end;
  position.offset = none && follow_ ? position.old_end : part.begin;
  if (!follow_) final_size_ = std::min(final_size_, part.end);
}

/// Returns the times of a source, from memory if it is the last one that was asked for.
const LineTimes& LogReader::times(std::uint32_t index, int fd) {
  if (times_ && times_source_ == index) return *times_;
  struct stat status {};
  if (::fstat(fd, &status) != 0) status = {};
  const LogSource& source = sources_[index];
  times_.emplace(source.path, source.stream,
                 static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0)), source.starts,
                 ns(status.st_mtim));
  times_source_ = index;
  return *times_;
}

/// Returns to the start of a file that became shorter than the delivered bytes.
void LogReader::restart(std::uint32_t index) {
  Position& position = positions_[index];
  position.offset = 0;
  position.old_end = 0;
  position.in_line = false;
  times_.reset();
}

/// Moves the position behind the hole that contains `bytes`, which were read there, and behind the
/// rest of the line that the hole has cut. Returns how many of `bytes` to skip; if in_line is set,
/// the caller skips all.
std::size_t LogReader::skip_hole(Position& position, int fd, std::string_view bytes) {
  std::uint64_t next = 0;
  if (in_hole(fd, position.offset, bytes, next)) {
    position.offset = next;
    position.in_line = true;
    return 0;
  }
  if (!position.in_line) return 0;
  // The hole of a truncated file ends within a page, and a line begins there.
  std::size_t gone = std::min(bytes.find_first_not_of('\0'), bytes.size());
  position.in_line = gone == bytes.size();
  if (gone == 0) {
    const std::size_t newline = bytes.find('\n');
    position.in_line = newline == std::string_view::npos;
    gone = position.in_line ? bytes.size() : newline + 1;
  }
  position.offset += gone;
  return gone;
}

/// Passes bytes of a source to the sink, in chunks of one time each.
void LogReader::hand_over(std::uint32_t index, int fd, std::string_view bytes, const Sink& sink) {
  const LogSource& source = sources_[index];
  Position& position = positions_[index];
  while (!bytes.empty()) {
    std::size_t length = bytes.size();
    std::int64_t time = 0;
    if (follow_ && position.offset >= position.old_end) {
      time = realtime_ns();
    } else {
      LineTimes::Span span = times(index, fd).at(position.offset);
      time = span.time_ns();
      if (follow_) span.end = std::min(span.end, position.old_end);
      if (span.end - position.offset < length) {
        // A line is in one chunk. If two spans share it, it has the time of its start.
        const std::size_t last = static_cast<std::size_t>(span.end - position.offset) - 1;
        length = std::min(bytes.find('\n', last), length - 1) + 1;
      }
    }
    sink(LogChunk{source.role, source.replica, source.stream, time, bytes.substr(0, length)});
    position.offset += length;
    bytes.remove_prefix(length);
  }
}

/// Ends the reading of a source.
void LogReader::set_done(std::uint32_t index) {
  if (std::exchange(positions_[index].done, true)) return;
  set_polled(index, false);
  close_file(index);
  --live_;
}

/// Returns the descriptor of a source's file, which stays valid until another file is opened; -1
/// with errno set.
int LogReader::open_file(std::uint32_t index) {
  OpenFile& slot = open_files_[index % open_files_.size()];
  if (slot.fd && slot.source == index) return slot.fd.get();
  const char* const path = sources_[index].path.c_str();
  // A replica may have put a FIFO or a terminal in the place of its file.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  slot.fd.reset();
  OwnedFd fd(::open(path, kFlags));
  if (!fd && (errno == EMFILE || errno == ENFILE)) {
    for (OpenFile& other : open_files_) other.fd.reset();
    fd.reset(::open(path, kFlags));
  }
  struct stat status {};
  if (fd && ::fstat(fd.get(), &status) == 0) {
    const std::optional<std::uint32_t>& owner = sources_[index].owner;
    const bool is_theirs = !owner || *owner == status.st_uid;
    if (!is_theirs || !S_ISREG(status.st_mode)) {
      fd.reset();
      errno = is_theirs ? EINVAL : EACCES;
    }
  }
  slot.source = index;
  slot.fd = std::move(fd);
  return slot.fd.get();
}

void LogReader::close_file(std::uint32_t index) {
  OpenFile& slot = open_files_[index % open_files_.size()];
  if (slot.source == index) slot.fd.reset();
}

/// Ends the reading of a source that cannot be read, and throws the reason.
void LogReader::give_up(std::uint32_t index, int error) {
  set_done(index);
  const bool denied = error == EACCES || error == EPERM;
  throw Error(denied ? Code::kDenied : Code::kUnavailable,
              "cannot read " + sources_[index].path + ": " +
                  (error == EINVAL ? "it is not a regular file" : std::strerror(error)),
              denied ? "read the logs as the user who runs the app" : "",
              sources_[index].role + "/" + std::to_string(sources_[index].replica));
}

}  // namespace slipway::local
