// Replicas with a moment at which something is due for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "plugins/local/supervisor/timing/alarm.hpp"

namespace slipway::local {

/// Something is due at `due_ns` (CLOCK_BOOTTIME) for attempt `attempt` of replica `index`.
struct Due {
  std::int64_t due_ns = 0;
  std::uint32_t index = 0;
  std::uint32_t attempt = 0;
};

/// A heap, earliest first, of equal ones the lowest index. Entries that no longer hold stay until
/// they come to the front, where the owner's `holds` weeds them out: an entry that holds no more
/// never wakes anybody. Not thread safe.
class DueQueue {
 public:
  void push(Due due) {
    heap_.push_back(due);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  /// The first entry that holds; nullptr when there is none. Valid until the next call.
  template <typename Holds>
  const Due* first(Holds holds) {
    while (!heap_.empty() && !holds(heap_.front())) pop();
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
