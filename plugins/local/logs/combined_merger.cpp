#include "plugins/local/logs/combined_merger.hpp"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <limits>
#include <utility>

#include "plugins/local/engine/clocks.hpp"
#include "sdk/support/line_cut.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

// A replica that writes as fast as it can must not delay the others, and all replicas together must
// not delay the supervisor.
constexpr std::uint64_t kTurnBytes = 512 * 1024;        // of each stream of a replica, at one look
constexpr std::uint64_t kEventBytes = 4 * 1024 * 1024;  // of all replicas in one on_event()
constexpr std::size_t kEventLooks = 256;                // at replicas, in one on_event()

// Pause between two looks at the queue: long enough that many writes cost one wake-up, short enough
// that a reader does not notice.
constexpr std::int64_t kBatchNs = 2'000'000;
// Pause between two looks at replicas without a watch.
constexpr std::int64_t kPollNs = 100'000'000;

// A file was written or created, or the directory was moved or removed.
constexpr std::uint32_t kAnything =
    IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF;

/// Returns whether bytes are left to copy.
bool is_behind(const CombinedCursor& cursor, const StreamSizes& seen) {
  return seen.out > cursor.out_offset || seen.err > cursor.err_offset;
}

}  // namespace

CombinedMerger::CombinedMerger(int log_root_fd, const LogRules& rules, std::size_t replicas)
    : copier_(log_root_fd, rules),
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
  if (rules.pipes) pipes_.emplace(log_root_fd, epoll_.get());
  attach_watches();
  entries_.reserve(replicas);
}

void CombinedMerger::add(std::uint32_t replica_index, std::string relative_dir,
                         CombinedCursor* cursor, Marks marks) {
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
  entry.number = LogPlace::kNoNumber;
  const std::size_t slash = relative_dir.rfind('/');
  if (slash != std::string::npos) {
    const std::string digits = relative_dir.substr(slash + 1);
    const auto number = plain_number<std::uint32_t>(digits);
    // Not "01", which would be written back as "1".
    if (number && *number != LogPlace::kNoNumber && std::to_string(*number) == digits) {
      entry.number = *number;
      relative_dir.resize(slash);
    }
  }
  relative_dir += '/';
  entry.directory = &*directories_.insert(std::move(relative_dir)).first;

  entry.unchecked = true;
  entry.is_marked = marks == Marks::kSet || (marks == Marks::kUnknown &&
                                             copier_.has_marks({entry.directory, entry.number}));
  if (pipes_) pipes_->add(replica_index, copier_.file({entry.directory, entry.number}, {}));
  // For the time marks. Otherwise CombinedCopier::check() continues them.
  if (sum(*cursor) == 0) copier_.start(replica_index);
  enqueue(replica_index);
  schedule();
}

bool CombinedMerger::finish(std::uint32_t replica_index, bool by_signal) {
  if (replica_index >= entries_.size() || entries_[replica_index].cursor == nullptr) return false;
  Entry& entry = entries_[replica_index];
  // A watch reports nothing about a pipe.
  if (pipes_) entry.quiet = false;
  if (entry.quiet) {
    read_watches();
    // The events that were read may concern other replicas.
    if (!queue_.empty()) schedule();
  }
  const bool no_error = entry.quiet && entry.no_error;
  if (!entry.quiet) {
    CopyJob job = job_of(replica_index);
    job.ignores_time = job.ignores_time || by_signal;
    copy_rest(job);
  }
  if (entry.is_marked) copier_.check_marks(job_of(replica_index));
  if (all_end_) {
    watches_.forget(entry.watch);
  } else {
    watches_.drop(entry.watch);
  }
  set_polled(entry, false);
  // The index may still be in the queue, and a second add() must not queue it twice.
  const bool queued = entry.queued;
  entry = Entry{};
  entry.queued = queued;
  return no_error;
}

/// Copies everything that a replica has left when it ends.
void CombinedMerger::copy_rest(const CopyJob& job) {
  Entry& entry = entries_[job.replica];
  if (pipes_) empty_pipes(job);
  // Most short replicas write nothing and have no combined.log to check.
  const CombinedCursor& cursor = *job.cursor;
  if (sum(cursor) > 0) check(job);
  const StreamSizes end = copier_.sizes(job);
  if (end == StreamSizes{}) return;
  check(job);
  copier_.copy_all(job, end, std::exchange(entry.stderr_first, false));
}

/// Returns the job of copying a replica.
CopyJob CombinedMerger::job_of(std::uint32_t index) const {
  const Entry& entry = entries_[index];
  // Before the first look at an attempt, signals have ended the processes that the earlier attempt
  // left behind.
  const bool ignores_time = all_end_ || entry.unchecked;
  return {index, {entry.directory, entry.number}, entry.cursor, ignores_time};
}

/// Calls CombinedCopier::check() before the first copy of an attempt.
void CombinedMerger::check(const CopyJob& job) {
  if (std::exchange(entries_[job.replica].unchecked, false)) copier_.check(job);
}

void CombinedMerger::finish_all() {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) finish(index);
  if (pipes_) pipes_->close_all();
}

/// Moves the content of the replica's pipes into its files. Returns the number of bytes moved.
std::uint64_t CombinedMerger::empty_pipes(const CopyJob& job) {
  const LogPipes::Copied copied = pipes_->copy(job.replica, kTurnBytes);
  entries_[job.replica].is_full = copied.error != 0;
  if (copied.error != 0) {
    errno = copied.error;
    copier_.fail("write", job.place, copied.name);
  }
  return copied.bytes;
}

/// Queues the replicas whose pipes have bytes.
void CombinedMerger::read_pipe_events() {
  std::array<epoll_event, 64> events;
  int count = 0;
  do {
    count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t data = events[static_cast<std::size_t>(i)].data.u64;
      const auto index = static_cast<std::uint32_t>(data);
      if ((data & LogPipes::kTag) != 0 && entries_[index].cursor != nullptr) enqueue(index);
    }
  } while (count == static_cast<int>(events.size()));
}

void CombinedMerger::on_event() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) > 0) batch_due_ = false;
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (polled_count_ > 0 && now >= next_poll_ns_) {
    next_poll_ns_ = now + kPollNs;
    watch_refused_ = false;
    attach_watches();
    enqueue_polled();
  }
  if (pipes_) read_pipe_events();
  read_watches();
  run_batch();
  copy_unfinished();
  schedule();
}

/// Plans a look at a replica.
void CombinedMerger::enqueue(std::uint32_t index) {
  entries_[index].quiet = false;
  if (std::exchange(entries_[index].queued, true)) return;
  queue_.push_back(index);
}

/// Plans looks at all replicas, because events were lost.
void CombinedMerger::enqueue_live() {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    if (entries_[index].cursor != nullptr) enqueue(index);
  }
}

/// Plans looks at the replicas without a watch.
void CombinedMerger::enqueue_polled() {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    if (entries_[index].cursor != nullptr && entries_[index].polled) enqueue(index);
  }
}

/// Makes the inotify instance and adds it to epoll_, unless that is done or the kernel refuses.
void CombinedMerger::attach_watches() {
  if (watches_attached_ || !watches_.open()) return;
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.fd = watches_.fd();
  watches_attached_ = ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, watches_.fd(), &interest) == 0;
  watches_listened_ = watches_attached_;
}

/// Queues the replicas whose watches report an event.
void CombinedMerger::read_watches() {
  const bool complete = watches_.read([this](const WatchSet::Event& event) {
    // Any event counts, even the end of a watch alone (IN_IGNORED): the kernel also ends a one-shot
    // watch that was renewed between its event and its end.
    Entry& entry = entries_[event.tag];
    if (entry.cursor == nullptr) return;
    if (!entry.queued) entry.stderr_first = event.name == kStderrName;
    enqueue(event.tag);
  });
  if (!complete) enqueue_live();
}

/// Looks at queued replicas and copies their new lines, within the limits of one event.
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
    const CopyJob job = job_of(index);
    check(job);
    std::uint64_t progress = pipes_ ? empty_pipes(job) : 0;
    const StreamSizes seen = copier_.sizes(job);
    progress += copier_.copy_lines(job, seen, kTurnBytes, std::exchange(entry.stderr_first, false));
    copied += progress;
    // A busy replica needs no watch: the merger looks at it again in 2 ms, and its writes cause no
    // events.
    if (progress > 0) {
      enqueue(index);
    } else {
      if (is_behind(*entry.cursor, seen)) await_rest(job, seen);
      watch(job, seen);
    }
  }
}

/// Plans copy_unfinished() for a replica whose last line is not complete.
void CombinedMerger::await_rest(const CopyJob& job, const StreamSizes& seen) {
  if (std::exchange(entries_[job.replica].unfinished, true)) return;
  const std::chrono::nanoseconds patience =
      copier_.ends_with_progress_bar(job, seen) ? kLinePatience : kTextPatience;
  unfinished_.emplace(clock_ns(CLOCK_MONOTONIC) + patience.count(),
                      Unfinished{job.replica, sum(*job.cursor)});
}

/// Copies the beginnings of lines that have waited long enough.
void CombinedMerger::copy_unfinished() {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  for (std::size_t looks = 0; looks < kEventLooks && !unfinished_.empty(); ++looks) {
    const auto [due_ns, next] = *unfinished_.begin();
    if (due_ns > now) return;
    unfinished_.erase(unfinished_.begin());
    Entry& entry = entries_[next.index];
    entry.unfinished = false;
    if (entry.cursor == nullptr) continue;
    if (sum(*entry.cursor) == next.copied) {
      const CopyJob job = job_of(next.index);
      // After a failure the copy is tried again when the replica next writes.
      if (copier_.copy_unfinished(job, copier_.sizes(job), kTurnBytes) == 0) continue;
    }
    // If more was copied meanwhile, that line is complete, and the next one has waited for less
    // time.
    enqueue(next.index);
  }
}

/// Waits for new bytes of a replica whose lines up to `seen` were copied: renews its watch or, if
/// the kernel refuses that, lets the timer check the replica.
void CombinedMerger::watch(const CopyJob& job, const StreamSizes& seen) {
  const std::uint32_t index = job.replica;
  Entry& entry = entries_[index];
  // If the user has no watch left (ENOSPC) or no instance (EMFILE, 128 per user), or if the
  // directory does not exist yet, no event reports that this has changed. So the merger looks again
  // later.
  WatchSet::Arm armed = WatchSet::Arm::kRefused;
  if (watches_attached_ && !watch_refused_) {
    const std::string path = watch_root_ + copier_.file(job.place, {});
    armed = watches_.arm(path.c_str(), kAnything | IN_ONESHOT | IN_ONLYDIR, index, entry.watch);
    watch_refused_ = armed == WatchSet::Arm::kRefused;
  }
  // No event reports that a full disk has room again.
  set_polled(entry, armed != WatchSet::Arm::kArmed || entry.is_full);
  if (pipes_ && !entry.is_full) pipes_->arm(index);
  // A write between the look and the watch caused no event.
  if (entry.polled) return;
  if (copier_.sizes(job) != seen) return enqueue(index);
  entry.quiet = seen.out == entry.cursor->out_offset && seen.err == entry.cursor->err_offset;
  // Checks this now, while the kernel has the directory in its cache, and not for all replicas at
  // their end.
  entry.no_error = entry.quiet && !copier_.exists(job.place, kErrorFileName);
}

/// Decides whether the 100 ms timer checks the replica.
void CombinedMerger::set_polled(Entry& entry, bool polled) {
  if (entry.polled == polled) return;
  entry.polled = polled;
  if (polled) {
    if (polled_count_++ == 0) next_poll_ns_ = clock_ns(CLOCK_MONOTONIC) + kPollNs;
  } else {
    --polled_count_;
  }
}

/// Sets the timer for the next work.
void CombinedMerger::schedule() {
  const bool rest_of_batch = batch_next_ < batch_.size();
  const bool busy = rest_of_batch || !queue_.empty();
  const bool idle = polled_count_ == 0 && unfinished_.empty();
  if (watches_attached_ && watches_listened_ == busy) {
    // While the timer runs, events are only collected, so that a thousand writers cause one
    // wake-up.
    epoll_event interest{};
    interest.events = busy ? 0U : static_cast<std::uint32_t>(EPOLLIN);
    interest.data.fd = watches_.fd();
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, watches_.fd(), &interest);
    watches_listened_ = !busy;
  }
  // The timer runs already, or nothing needs it.
  if (busy ? batch_due_ : idle) return;
  // The rest is due at once, but after the other events of the caller's epoll.
  std::int64_t delay = rest_of_batch ? 1 : kBatchNs;
  if (!busy) {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    if (polled_count_ > 0) next = next_poll_ns_;
    if (!unfinished_.empty()) next = std::min(next, unfinished_.begin()->first);
    delay = std::max<std::int64_t>(next - clock_ns(CLOCK_MONOTONIC), 1);
  }
  itimerspec when{};
  when.it_value.tv_sec = delay / 1'000'000'000;
  when.it_value.tv_nsec = delay % 1'000'000'000;
  ::timerfd_settime(timer_.get(), 0, &when, nullptr);
  batch_due_ = busy;
}

}  // namespace slipway::local
