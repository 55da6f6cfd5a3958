// inotify watches with a number of the owner's attached to each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// One inotify instance and what its watches are for. One thread. 11 to 21 bytes per watch
/// besides the kernel's.
///
/// Without an instance (fs.inotify.max_user_instances is 128 per user on most systems) every arm()
/// is refused, and the owner has to look at its files with a timer.
class WatchSet {
 public:
  enum class Arm {
    kArmed,
    kMissing,      ///< no such file or directory
    kUnwatchable,  ///< not this one: no permission to read it, or watched under another tag
    kRefused,      ///< a limit of the kernel, or no instance: the next one will be refused too
  };
  struct Event {
    std::uint32_t tag;
    std::uint32_t mask;     // IN_*
    std::string_view name;  // of the entry in a watched directory; valid during the call only
  };

  /// Gets an instance if there is none; false if the kernel refuses.
  bool open();

  /// The instance for poll or epoll, -1 if there is none.
  int fd() const noexcept { return fd_.get(); }

  /// Watches `path` for `mask` and stores the watch in `watch` if armed. Arming the same file again
  /// with the same tag renews a one-shot watch.
  Arm arm(const char* path, std::uint32_t mask, std::uint32_t tag, std::int32_t& watch);

  /// Ends a watch; -1 and watches that ended already are ignored.
  void drop(std::int32_t watch);

  /// Its events are nobody's any more, while the kernel keeps it until the instance ends; cheaper
  /// than drop().
  void forget(std::int32_t watch);

  /// Calls `handler` for all events that are there, without waiting; after the last event of a
  /// watch (one-shot, or its file is gone) comes IN_IGNORED. False if the kernel lost events: all
  /// tags are then forgotten, and the owner must look at everything and arm it again.
  bool read(const std::function<void(const Event&)>& handler);

 private:
  struct Slot {
    std::int32_t watch = 0;  // 0: empty; the kernel counts from 1
    std::uint32_t tag = 0;
  };
  std::size_t home(std::int32_t watch) const noexcept;
  Slot* find(std::int32_t watch) noexcept;
  void insert(std::int32_t watch, std::uint32_t tag);
  void erase(std::int32_t watch) noexcept;
  void grow();

  OwnedFd fd_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most three quarters full
  std::size_t used_ = 0;
};

}  // namespace slipway::local
