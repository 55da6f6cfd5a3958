// inotify watches, each with a number, its tag, that the caller chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// One inotify instance and the tags of its watches. For one thread. Takes 11 to 21 bytes per watch
/// in addition to the kernel's.
///
/// Without an instance (fs.inotify.max_user_instances is 128 per user on most systems) every arm()
/// is refused, and the caller must look at its files with a timer.
class WatchSet {
 public:
  /// The result of arm().
  enum class Arm {
    kArmed,
    kMissing,      ///< no such file or directory
    kUnwatchable,  ///< this file cannot be watched: no permission to read it, or another tag has it
    kRefused,      ///< a limit of the kernel, or no instance: the next call will also be refused
  };
  struct Event {
    std::uint32_t tag;
    std::uint32_t mask;     // IN_*
    std::string_view name;  // of the entry in a watched directory; valid during the call only
  };

  /// Makes an instance if there is none. Returns false if the kernel refuses.
  bool open();

  /// Returns the instance for poll or epoll, or -1.
  int fd() const noexcept { return fd_.get(); }

  /// Watches `path` for `mask` and stores the watch in `watch` if armed. Arming the same file again
  /// with the same tag renews a one-shot watch.
  Arm arm(const char* path, std::uint32_t mask, std::uint32_t tag, std::int32_t& watch);

  /// Ends a watch. Ignores -1 and watches that have ended.
  void drop(std::int32_t watch);

  /// Ignores the events of a watch from now on. The kernel keeps the watch until the instance ends.
  /// Cheaper than drop().
  void forget(std::int32_t watch);

  /// Calls `handler` for all pending events, without waiting. IN_IGNORED is the last event of a
  /// watch that ends by itself, because it is one-shot or its file is gone. No event of a watch
  /// comes after drop() or forget(). Returns false if the kernel lost events: all tags are then
  /// forgotten, and the caller must look at all files and arm their watches again.
  bool read(const std::function<void(const Event&)>& handler);

 private:
  struct Slot {
    std::int32_t watch = 0;  // 0: empty; the kernel counts from 1
    std::uint32_t tag = 0;
  };
  /// Returns the position at which the search for a watch begins.
  std::size_t home(std::int32_t watch) const noexcept;
  Slot* find(std::int32_t watch) noexcept;
  void insert(std::int32_t watch, std::uint32_t tag);
  void erase(std::int32_t watch) noexcept;
  void grow();

  OwnedFd fd_;
  std::vector<Slot> slots_;  // a hash table: open addressing, 2^n slots, at most 3/4 of them used
  std::size_t used_ = 0;
};

}  // namespace slipway::local
