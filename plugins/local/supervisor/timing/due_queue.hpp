// Replicas, ordered by the moment at which something is due for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace slipway::local {

/// Stands for "nothing is due".
inline constexpr std::int64_t kNever = INT64_MAX;

/// Something is due at `due_ns` (CLOCK_BOOTTIME) for attempt `attempt` of replica `index`.
struct Due {
  std::int64_t due_ns = 0;
  std::uint32_t index = 0;
  std::uint32_t attempt = 0;
};

/// A heap: the earliest entry is first, and of equal ones the one with the lowest index. An
/// obsolete entry stays until it comes to the front, where first() drops it, so it never wakes the
/// event loop. Not thread safe.
class DueQueue {
 public:
  void push(Due due) {
    heap_.push_back(due);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  /// Returns the first entry for which `is_valid` is true; nullptr if none is left. Valid until the
  /// next call.
  template <typename IsValid>
  const Due* first(IsValid is_valid) {
    while (!heap_.empty() && !is_valid(heap_.front())) pop();
    return heap_.empty() ? nullptr : &heap_.front();
  }

  /// Removes the entry that first() returned.
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

 private:
  static bool later(const Due& a, const Due& b) {
    return std::tie(a.due_ns, a.index) > std::tie(b.due_ns, b.index);
  }
  std::vector<Due> heap_;
};

}  // namespace slipway::local
