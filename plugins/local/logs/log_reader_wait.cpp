// The wait of a LogReader that follows.
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "plugins/local/logs/log_reader.hpp"
#include "sdk/support/line_cut.hpp"

namespace slipway::local {
namespace {

/// Pause between two looks at sources without a watch.
constexpr std::chrono::milliseconds kPollInterval{100};

}  // namespace

/// Waits for new bytes of a file that was read up to `seen`.
void LogReader::watch_file(std::uint32_t index, int fd, std::uint64_t seen) {
  // If the user has no watch left (ENOSPC) or no instance (EMFILE, 128 per user), no event reports
  // that this has changed. So the reader looks again later.
  WatchSet::Arm armed = WatchSet::Arm::kRefused;
  if (!watch_refused_) {
    std::int32_t watch = -1;
    armed = watches_.arm(sources_[index].path.c_str(), IN_MODIFY | IN_ONESHOT, index, watch);
    watch_refused_ = armed == WatchSet::Arm::kRefused;
  }
  set_polled(index, armed != WatchSet::Arm::kArmed);
  // A write between the look and the watch caused no event.
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::uint64_t>(status.st_size) > seen) {
    enqueue(index);
  }
}

/// Plans to deliver the beginning of a line.
void LogReader::await_rest(std::uint32_t index) {
  if (std::exchange(positions_[index].unfinished, true)) return;
  unfinished_.push_back({index, positions_[index].offset, Clock::now() + kLinePatience});
}

/// Queues the sources whose beginning of a line has waited long enough.
void LogReader::pass_unfinished(Clock::time_point now) {
  for (; !unfinished_.empty() && unfinished_.front().due <= now; unfinished_.pop_front()) {
    const Unfinished& next = unfinished_.front();
    Position& position = positions_[next.source];
    position.unfinished = false;
    if (position.done) continue;
    // If that line was completed meanwhile, the next one has waited for less time.
    position.overdue = position.offset == next.offset;
    enqueue(next.source);
  }
}

/// Waits for a file that does not exist yet.
void LogReader::await_file(std::uint32_t index) {
  Position& position = positions_[index];
  if (position.waiting) return;
  using Wait = MissingFiles::Wait;
  const Wait wait =
      watch_refused_ ? Wait::kRefused : missing_files_.await(sources_[index].path, index);
  if (wait == Wait::kRefused) watch_refused_ = true;
  if (wait == Wait::kThere) enqueue(index);
  position.waiting = wait == Wait::kWaiting;
  set_polled(index, wait == Wait::kRefused || wait == Wait::kUnwatchable);
}

/// Waits for sources to look at, for cancel() or for app_ended(). Returns false at the deadline.
bool LogReader::wait(Clock::time_point deadline) {
  // Between two passes, events are only collected, so that a thousand writers cause one wake-up.
  const bool batching = !queue_.empty();
  Clock::time_point until = deadline;
  if (batching) {
    until = std::min(until, next_pass_);
  } else if (polled_count_ > 0) {
    until = std::min(until, next_poll_);
  }
  if (!batching && !unfinished_.empty()) until = std::min(until, unfinished_.front().due);
  std::array<pollfd, 3> fds = {
      {{wake_.fd(), POLLIN, 0}, {user_fd_, POLLIN, 0}, {batching ? -1 : watches_.fd(), POLLIN, 0}}};
  timespec left{};
  if (until != Clock::time_point::max()) {
    const auto wait_ns =
        std::max<std::int64_t>(std::chrono::nanoseconds(until - Clock::now()).count(), 0);
    left.tv_sec = wait_ns / 1'000'000'000;
    left.tv_nsec = wait_ns % 1'000'000'000;
  }
  if (::ppoll(fds.data(), fds.size(), until == Clock::time_point::max() ? nullptr : &left,
              nullptr) < 0) {
    return true;
  }

  if (fds[0].revents != 0) wake_.clear();
  if (fds[1].revents != 0 && on_wake_) {
    // A copy, because on_wake may call watch().
    const std::function<void()> on_wake = on_wake_;
    on_wake();
  }
  if (cancelled_ || app_ended_) return true;

  const Clock::time_point now = Clock::now();
  if (polled_count_ > 0 && now >= next_poll_) {
    next_poll_ = now + kPollInterval;
    watch_refused_ = !watches_.open();
    for (std::uint32_t index = 0; index < positions_.size(); ++index) {
      if (positions_[index].polled) enqueue(index);
    }
  }
  pass_unfinished(now);
  // At the deadline the pause ends early, so that a timeout leaves no older lines behind.
  const bool may_pass = now >= next_pass_ || now >= deadline;
  if (fds[2].revents != 0 || (batching && may_pass)) read_watches();
  if (!queue_.empty() && may_pass) {
    pass_.clear();
    pass_.swap(queue_);
    pass_next_ = 0;
    pass_time_ = {};
    return true;
  }
  return now < deadline;
}

/// Queues the sources whose watches report an event.
void LogReader::read_watches() {
  const auto look_again = [this](std::uint32_t index) {
    positions_[index].waiting = false;
    enqueue(index);
  };
  const bool complete = watches_.read([&](const WatchSet::Event& event) {
    if ((event.tag & MissingFiles::kTag) != 0) {
      missing_files_.on_event(event, look_again);
    } else if (!positions_[event.tag].done) {
      enqueue(event.tag);
    }
  });
  if (complete) return;
  missing_files_.on_lost_events(look_again);
  for (std::uint32_t index = 0; index < positions_.size(); ++index) {
    if (!positions_[index].done) enqueue(index);
  }
}

void LogReader::enqueue(std::uint32_t index) {
  if (std::exchange(positions_[index].queued, true)) return;
  queue_.push_back(index);
}

void LogReader::set_polled(std::uint32_t index, bool polled) {
  if (std::exchange(positions_[index].polled, polled) == polled) return;
  if (!polled) {
    --polled_count_;
  } else if (polled_count_++ == 0) {
    next_poll_ = Clock::now() + kPollInterval;
  }
}

}  // namespace slipway::local
