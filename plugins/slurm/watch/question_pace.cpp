#include "plugins/slurm/watch/question_pace.hpp"

#include <algorithm>

namespace slipway::slurm {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortest{250};  // after the record showed the end
constexpr milliseconds kFirst{1000};
constexpr milliseconds kLongest{30000};

}  // namespace

QuestionPace::QuestionPace(Clock::time_point now)
    : last_(now),
      needed_(Clock::time_point::min()),
      next_(now + kFirst),
      pause_(kFirst),
      gap_(kFirst) {}

bool QuestionPace::accepts(Clock::time_point asked, Clock::time_point now) const {
  return asked >= needed_ && now - asked < pause_;
}

void QuestionPace::answered(Clock::time_point asked, Clock::time_point now) {
  if (asked < needed_) return;
  if (now >= next_) {
    pause_ = std::min<Clock::duration>(pause_ * 3 / 2, kLongest);
    gap_ = has_progress_ ? std::min<Clock::duration>(gap_ * 2, kLongest) : Clock::duration(kFirst);
    has_progress_ = false;
  }
  last_ = std::max(last_, asked);
  next_ = last_ + pause_;
}

void QuestionPace::changed(Clock::time_point asked) {
  pause_ = std::min<Clock::duration>(pause_, kFirst);
  next_ = std::min(next_, asked + pause_);
}

void QuestionPace::woken(Clock::time_point now, Wake wake) {
  needed_ = now;
  if (wake == Wake::kEnd) {
    pause_ = kShortest;
    next_ = std::min(next_, now);
    return;
  }
  has_progress_ = true;
  pause_ = std::min(pause_, gap_);
  next_ = std::min(next_, std::max(now, last_ + gap_));
}

}  // namespace slipway::slurm
