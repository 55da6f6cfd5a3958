#include "plugins/slurm/watch/query_pace.hpp"

#include <algorithm>

namespace slipway::slurm {

QueryPace::QueryPace(Clock::time_point now, const QueryPauses& pauses)
    : pauses_(pauses),
      last_(now),
      needed_(Clock::time_point::min()),
      next_(now + pauses.first),
      pause_(pauses.first),
      gap_(pauses.first) {}

bool QueryPace::accepts(Clock::time_point asked, Clock::time_point now) const {
  return asked >= needed_ && now - asked < pause_;
}

void QueryPace::answered(Clock::time_point asked, Clock::time_point now) {
  if (asked < needed_) return;
  // Only the answer to a query that was due makes the pauses grow. An earlier answer is that to a
  // query of another process or for another job, which may come more often.
  if (now >= next_) {
    pause_ = std::min<Clock::duration>(pause_ * 3 / 2, pauses_.longest);
    gap_ = has_progress_ ? std::min<Clock::duration>(gap_ * 2, pauses_.longest)
                         : Clock::duration(pauses_.first);
    has_progress_ = false;
  }
  last_ = std::max(last_, asked);
  next_ = last_ + pause_;
}

void QueryPace::changed(Clock::time_point asked) {
  pause_ = std::min<Clock::duration>(pause_, pauses_.first);
  next_ = std::min(next_, asked + pause_);
}

void QueryPace::woken(Clock::time_point now, Wake wake) {
  needed_ = now;
  if (wake == Wake::kEnd) {
    pause_ = pauses_.at_end;
    next_ = std::min(next_, now);
    return;
  }
  has_progress_ = true;
  pause_ = std::min(pause_, gap_);
  next_ = std::min(next_, std::max(now, last_ + gap_));
}

}  // namespace slipway::slurm
