#include "plugins/local/logs/combined_merger.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <limits>
#include <utility>

#include "plugins/local/logs/line_cut.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

constexpr std::string_view kStdout = "stdout.log";
constexpr std::string_view kStderr = "stderr.log";
constexpr std::string_view kCombined = "combined.log";

constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kBufferSize = 128 * 1024;

// One replica that writes as fast as it can must not keep the others waiting, nor all of them the
// supervisor.
constexpr std::uint64_t kTurnBytes = 512 * 1024;
constexpr std::uint64_t kEventBytes = 4 * 1024 * 1024;
constexpr std::size_t kEventLooks = 256;

// Long enough that a storm of writes costs one wake-up, short enough that nobody who watches
// notices.
constexpr std::int64_t kBatchNs = 2'000'000;
constexpr std::int64_t kPollNs = 100'000'000;

std::int64_t ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t now_ns(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return ns(now);
}

// Other processes read the cursor while it moves; the store must also stay behind the write it
// accounts for.
void store(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_release);
}

std::uint64_t sum(const CombinedCursor& cursor) { return cursor.out_offset + cursor.err_offset; }

}  // namespace

CombinedMerger::CombinedMerger(int log_root_fd, const LogRules& rules, std::size_t replicas)
    : root_(log_root_fd),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      watch_root_("/proc/self/fd/" + std::to_string(log_root_fd) + "/") {
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.fd = timer_.get();
  if (!epoll_ || !timer_ ||
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, timer_.get(), &interest) != 0) {
    throw Error(Code::kUnavailable,
                std::string("cannot merge logs into combined.log: ") + std::strerror(errno),
                "raise the limit on open files (ulimit -n), or run without combined logs");
  }
  attach_watches();
  entries_.reserve(replicas);
  if (rules.times) times_.emplace(root_);
  if (rules.piece_bytes > 0) limit_.emplace(root_, rules);
}

void CombinedMerger::add(std::uint32_t replica_index, std::string relative_dir,
                         CombinedCursor* cursor) {
  if (replica_index >= entries_.size()) entries_.resize(std::size_t{replica_index} + 1);
  Entry& entry = entries_[replica_index];
  if (entry.cursor != nullptr) {
    watches_.drop(entry.watch);
    set_polled(entry, false);
  }
  entry.cursor = cursor;
  entry.watch = -1;
  entry.stderr_first = false;

  // 10,000 replicas of one role share one string.
  entry.number = kNoNumber;
  const std::size_t slash = relative_dir.rfind('/');
  if (slash != std::string::npos && slash + 1 < relative_dir.size()) {
    const char* const digits = relative_dir.data() + slash + 1;
    const char* const end = relative_dir.data() + relative_dir.size();
    std::uint32_t number = 0;
    const auto [stop, failure] = std::from_chars(digits, end, number);
    const bool canonical =
        failure == std::errc{} && stop == end && (*digits != '0' || digits + 1 == end);
    if (canonical && number != kNoNumber) {
      entry.number = number;
      relative_dir.resize(slash);
    }
  }
  relative_dir += '/';
  entry.directory = &*directories_.insert(std::move(relative_dir)).first;

  entry.unchecked = true;
  if (times_ && sum(*cursor) == 0) times_->start(replica_index, now_ns(CLOCK_REALTIME));
  enqueue(replica_index);
  schedule();
}

void CombinedMerger::finish(std::uint32_t replica_index) {
  if (replica_index >= entries_.size() || entries_[replica_index].cursor == nullptr) return;
  Entry& entry = entries_[replica_index];
  if (entry.quiet) {
    read_watches();
    if (!queue_.empty()) schedule();
  }
  if (!entry.quiet) copy_rest(replica_index);
  watches_.drop(entry.watch);
  set_polled(entry, false);
  // It may still be on the queue; a second add() must not put it there twice.
  const bool queued = entry.queued;
  entry = Entry{};
  entry.queued = queued;
}

void CombinedMerger::copy_rest(std::uint32_t replica_index) {
  Entry& entry = entries_[replica_index];
  const Sizes end = sizes(entry);
  // Most short replicas write nothing, and then there is no combined.log to check either.
  if (end != Sizes{}) check(replica_index);
  const CombinedCursor before = *entry.cursor;
  drain(entry, end, kNoLimit, false);
  drain(entry, end, kNoLimit, true);
  follow_up(replica_index, before);
}

void CombinedMerger::finish_all() {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) finish(index);
}

void CombinedMerger::on_event() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) > 0) batch_due_ = false;
  const std::int64_t now = now_ns();
  if (polled_count_ > 0 && now >= next_poll_ns_) {
    next_poll_ns_ = now + kPollNs;
    watch_refused_ = false;
    attach_watches();
    enqueue_live(true);
  }
  read_watches();
  run_batch();
  schedule();
}

// --- where things are ---

const char* CombinedMerger::file(const Entry& entry, std::string_view name) {
  path_ = *entry.directory;
  if (entry.number != kNoNumber) {
    std::array<char, 16> digits;
    path_.append(digits.data(), std::to_chars(digits.begin(), digits.end(), entry.number).ptr);
    path_ += '/';
  }
  path_ += name;
  return path_.c_str();
}

std::uint64_t CombinedMerger::size_of(const Entry& entry, std::string_view name) {
  struct stat status {};
  if (::fstatat(root_, file(entry, name), &status, 0) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

/// Where what is kept of a stream begins.
std::uint64_t CombinedMerger::data_start(const Entry& entry, std::string_view name) {
  const OwnedFd fd(::openat(root_, file(entry, name), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const off_t start = fd ? ::lseek(fd.get(), 0, SEEK_DATA) : -1;
  return start > 0 ? static_cast<std::uint64_t>(start) : 0;
}

CombinedMerger::Sizes CombinedMerger::sizes(const Entry& entry) {
  return {size_of(entry, kStdout), size_of(entry, kStderr)};
}

void CombinedMerger::check(std::uint32_t index) {
  Entry& entry = entries_[index];
  if (!std::exchange(entry.unchecked, false)) return;
  CombinedCursor& cursor = *entry.cursor;
  struct stat status {};
  const bool exists = ::fstatat(root_, file(entry, kCombined), &status, 0) == 0;
  const auto size = exists && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size)
                                                      : std::uint64_t{0};
  if (times_ && sum(cursor) > 0) times_->go_on(index, exists ? ns(status.st_mtim) : 0);
  if (size == sum(cursor)) return;
  // When bytes are missing their order is lost with them. The file is emptied before the cursors,
  // so that being killed here leads here again.
  const bool restart = size < sum(cursor);
  if (size > 0) {
    const OwnedFd combined(
        ::openat(root_, file(entry, kCombined), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    const std::uint64_t wanted = restart ? 0 : sum(cursor);
    if (!combined || ::ftruncate(combined.get(), static_cast<off_t>(wanted)) != 0) {
      fail("cut", entry, kCombined);
      return;
    }
  }
  if (restart) {
    store(cursor.out_offset, limit_ ? data_start(entry, kStdout) : 0);
    store(cursor.err_offset, limit_ ? data_start(entry, kStderr) : 0);
  }
}

// --- when to look ---

void CombinedMerger::enqueue(std::uint32_t index) {
  entries_[index].quiet = false;
  if (std::exchange(entries_[index].queued, true)) return;
  queue_.push_back(index);
}

void CombinedMerger::enqueue_live(bool only_polled) {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    const Entry& entry = entries_[index];
    if (entry.cursor != nullptr && (entry.polled || !only_polled)) enqueue(index);
  }
}

void CombinedMerger::attach_watches() {
  if (watches_attached_ || !watches_.open()) return;
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.fd = watches_.fd();
  watches_attached_ = ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, watches_.fd(), &interest) == 0;
  watches_listened_ = watches_attached_;
}

void CombinedMerger::read_watches() {
  const bool complete = watches_.read([this](const WatchSet::Event& event) {
    if ((event.mask & IN_MODIFY) == 0) return;
    Entry& entry = entries_[event.tag];
    if (entry.cursor == nullptr) return;
    if (!entry.queued) entry.stderr_first = event.name == kStderr;
    enqueue(event.tag);
  });
  if (!complete) enqueue_live(false);
}

void CombinedMerger::run_batch() {
  if (batch_next_ == batch_.size()) {
    batch_.clear();
    batch_.swap(queue_);
    batch_next_ = 0;
  }
  std::uint64_t copied = 0;
  for (std::size_t looks = 0; looks < kEventLooks && copied < kEventBytes; ++looks) {
    if (batch_next_ == batch_.size()) return;
    const std::uint32_t index = batch_[batch_next_++];
    Entry& entry = entries_[index];
    entry.queued = false;
    if (entry.cursor == nullptr) continue;
    check(index);
    const Sizes seen = sizes(entry);
    const CombinedCursor before = *entry.cursor;
    const std::uint64_t progress = drain(entry, seen, kTurnBytes, false);
    copied += progress;
    follow_up(index, before);
    // A busy replica needs no watch: it is looked at again in 2 ms anyway, and its writes stay
    // free of events.
    if (progress > 0) {
      enqueue(index);
    } else {
      watch(index, seen);
    }
  }
}

void CombinedMerger::watch(std::uint32_t index, const Sizes& seen) {
  Entry& entry = entries_[index];
  // No watch left for this user (ENOSPC), no instance (EMFILE, 128 per user), or the directory is
  // not there yet: all of it passes without any event to tell, so that looking again is the only
  // way.
  WatchSet::Arm armed = WatchSet::Arm::kRefused;
  if (watches_attached_ && !watch_refused_) {
    file(entry, {});
    path_.insert(0, watch_root_);
    armed = watches_.arm(path_.c_str(), IN_MODIFY | IN_ONESHOT | IN_ONLYDIR, index, entry.watch);
    watch_refused_ = armed == WatchSet::Arm::kRefused;
  }
  set_polled(entry, armed != WatchSet::Arm::kArmed);
  // What was written between the look and the watch made no event.
  if (entry.polled) return;
  if (sizes(entry) != seen) return enqueue(index);
  entry.quiet = seen.out == entry.cursor->out_offset && seen.err == entry.cursor->err_offset;
}

void CombinedMerger::set_polled(Entry& entry, bool polled) {
  if (entry.polled == polled) return;
  entry.polled = polled;
  if (polled) {
    if (polled_count_++ == 0) next_poll_ns_ = now_ns() + kPollNs;
  } else {
    --polled_count_;
  }
}

void CombinedMerger::schedule() {
  const bool rest_of_batch = batch_next_ < batch_.size();
  const bool busy = rest_of_batch || !queue_.empty();
  if (watches_attached_ && watches_listened_ == busy) {
    // While the timer runs events are only collected: a thousand writers make one wake-up, not a
    // thousand.
    epoll_event interest{};
    interest.events = busy ? 0U : static_cast<std::uint32_t>(EPOLLIN);
    interest.data.fd = watches_.fd();
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, watches_.fd(), &interest);
    watches_listened_ = !busy;
  }
  if (busy ? batch_due_ : polled_count_ == 0) return;
  // The rest comes at once, but after what else the caller's epoll holds.
  std::int64_t delay = rest_of_batch ? 1 : kBatchNs;
  if (!busy) delay = std::max<std::int64_t>(next_poll_ns_ - now_ns(), 1);
  itimerspec when{};
  when.it_value.tv_sec = delay / 1'000'000'000;
  when.it_value.tv_nsec = delay % 1'000'000'000;
  ::timerfd_settime(timer_.get(), 0, &when, nullptr);
  batch_due_ = busy;
}

// --- copying ---

std::uint64_t CombinedMerger::drain(Entry& entry, const Sizes& sizes, std::uint64_t limit,
                                    bool last) {
  const bool stderr_first = std::exchange(entry.stderr_first, false);
  std::uint64_t copied = 0;
  for (const bool is_stderr : {stderr_first, !stderr_first}) {
    copied += copy(entry, is_stderr, is_stderr ? sizes.err : sizes.out, limit, last);
  }
  return copied;
}

std::uint64_t CombinedMerger::copy(Entry& entry, bool is_stderr, std::uint64_t size,
                                   std::uint64_t limit, bool last) {
  CombinedCursor& cursor = *entry.cursor;
  std::uint64_t& offset = is_stderr ? cursor.err_offset : cursor.out_offset;
  if (size <= offset) return 0;
  const std::string_view name = is_stderr ? kStderr : kStdout;
  const OwnedFd stream(::openat(root_, file(entry, name), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!stream) {
    fail("open", entry, name);
    return 0;
  }
  if (buffer_.empty()) buffer_.resize(kBufferSize);
  OwnedFd combined;
  std::uint64_t copied = 0;
  while (offset < size && copied < limit) {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - offset, buffer_.size()));
    const ssize_t length =
        ::pread(stream.get(), buffer_.data(), wanted, static_cast<off_t>(offset));
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) fail("read", entry, name);
    if (length <= 0) break;
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(length));
    const std::size_t cut = whole_lines(bytes, last && offset + bytes.size() == size);
    if (cut == 0) break;
    if (!combined) {
      const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK;
      combined.reset(::openat(root_, file(entry, kCombined), flags, 0666));
    }
    if (!combined || !append(combined.get(), bytes.substr(0, cut), sum(cursor))) {
      fail("write", entry, kCombined);
      break;
    }
    store(offset, offset + cut);
    copied += cut;
  }
  return copied;
}

bool CombinedMerger::append(int combined, std::string_view bytes, std::uint64_t at) {
  // At the place, not at the end: leftovers of a failed attempt are overwritten, not followed.
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t length = ::pwrite(combined, bytes.data() + written, bytes.size() - written,
                                    static_cast<off_t>(at + written));
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) {
      const int saved = length == 0 ? ENOSPC : errno;
      // Readers shall see no half line, and a full disk wants its blocks back. If that fails too,
      // see above.
      [[maybe_unused]] const int cut =
          written == 0 ? 0 : ::ftruncate(combined, static_cast<off_t>(at));
      errno = saved;
      return false;
    }
    written += static_cast<std::size_t>(length);
  }
  return true;
}

/// What the marks and the limit make of the progress since `before`.
void CombinedMerger::follow_up(std::uint32_t index, const CombinedCursor& before) {
  Entry& entry = entries_[index];
  const CombinedCursor& cursor = *entry.cursor;
  if (sum(cursor) == sum(before)) return;
  if (times_ &&
      !times_->grew(index, file(entry, kTimesName), before, cursor, now_ns(CLOCK_REALTIME))) {
    fail("write", entry, kTimesName);
  }
  if (!limit_) return;
  const auto apply = [&](LimitedFile which, std::string_view name, std::uint64_t size) {
    if (!limit_->apply(index, which, file(entry, name), size)) fail("limit", entry, name);
  };
  apply(LimitedFile::kStdout, kStdout, cursor.out_offset);
  apply(LimitedFile::kStderr, kStderr, cursor.err_offset);
  apply(LimitedFile::kCombined, kCombined, sum(cursor));
}

void CombinedMerger::fail(const char* action, const Entry& entry, std::string_view name) {
  const int saved = errno;
  error_ = std::string("cannot ") + action + " " + file(entry, name) + ": " + std::strerror(saved);
}

}  // namespace slipway::local
