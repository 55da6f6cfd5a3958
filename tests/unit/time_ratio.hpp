// Compares the processor times of two pieces of work.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace slipway::test {

/// Returns the seconds of processor time that the work takes this thread. Other processes change it
/// little.
template <typename Work>
double processor_seconds(const Work& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double begun = now();
  work();
  return now() - begun;
}

/// Returns how many times as long `work` takes as `reference`, by the shortest of at least three
/// times of each. A busy host of a virtual machine can slow down all of them, so there are up to
/// ten while the ratio is not less than `most`.
template <typename Work, typename Reference>
double time_ratio(const Work& work, const Reference& reference, double most) {
  double work_s = std::numeric_limits<double>::max();
  double reference_s = std::numeric_limits<double>::max();
  for (int i = 0; i < 3 || (i < 10 && work_s >= most * reference_s); ++i) {
    reference_s = std::min(reference_s, processor_seconds(reference));
    work_s = std::min(work_s, processor_seconds(work));
  }
  return work_s / reference_s;
}

}  // namespace slipway::test
