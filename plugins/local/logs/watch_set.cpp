#include "plugins/local/logs/watch_set.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace slipway::local {

bool WatchSet::open() {
  if (!fd_) fd_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  return static_cast<bool>(fd_);
}

WatchSet::Arm WatchSet::arm(const char* path, std::uint32_t mask, std::uint32_t tag,
                            std::int32_t& watch) {
  if (!fd_) return Arm::kRefused;
  const int added = ::inotify_add_watch(fd_.get(), path, mask);
  if (added < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Arm::kMissing;
    // A directory that may be searched but not read cannot be watched, but its files can be read.
    return errno == EACCES ? Arm::kUnwatchable : Arm::kRefused;
  }
  if (const Slot* slot = find(added)) {
    if (slot->tag != tag) return Arm::kUnwatchable;
  } else {
    insert(added, tag);
  }
  watch = added;
  return Arm::kArmed;
}

void WatchSet::drop(std::int32_t watch) {
  if (watch < 0 || find(watch) == nullptr) return;
  erase(watch);
  ::inotify_rm_watch(fd_.get(), watch);
}

void WatchSet::forget(std::int32_t watch) {
  if (watch >= 0 && find(watch) != nullptr) erase(watch);
}

bool WatchSet::read(const std::function<void(const Event&)>& handler) {
  alignas(inotify_event) std::array<char, 16 * 1024> buffer;
  bool complete = true;
  while (fd_) {
    const ssize_t length = ::read(fd_.get(), buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    const char* next = buffer.data();
    const char* const end = next + length;
    while (next < end) {
      inotify_event event;
      std::memcpy(&event, next, sizeof event);
      const char* const name = next + sizeof event;
      next = name + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        complete = false;
        continue;
      }
      const Slot* const slot = find(event.wd);
      if (slot == nullptr) continue;
      const std::uint32_t tag = slot->tag;
      if ((event.mask & IN_IGNORED) != 0) erase(event.wd);
      handler({tag, event.mask, std::string_view(name, ::strnlen(name, event.len))});
    }
  }
  if (!complete) {
    // The lost events may include the IN_IGNORED of any watch, whose entry would stay forever.
    slots_.clear();
    used_ = 0;
  }
  return complete;
}

std::size_t WatchSet::home(std::int32_t watch) const noexcept {
  // The kernel numbers watches consecutively. Without the multiplication the new number of a busy
  // file would land in the long run of the idle ones and move to its end. The factor is 2^32
  // divided by the golden ratio (Knuth's multiplicative hash).
  const std::uint32_t spread = static_cast<std::uint32_t>(watch) * 2654435769U;
  return spread >> (32 - std::bit_width(slots_.size() - 1));
}

WatchSet::Slot* WatchSet::find(std::int32_t watch) noexcept {
  if (slots_.empty() || watch <= 0) return nullptr;
  for (std::size_t i = home(watch); slots_[i].watch != 0; i = (i + 1) & (slots_.size() - 1)) {
    if (slots_[i].watch == watch) return &slots_[i];
  }
  return nullptr;
}

void WatchSet::insert(std::int32_t watch, std::uint32_t tag) {
  if ((used_ + 1) * 4 > slots_.size() * 3) grow();
  std::size_t i = home(watch);
  while (slots_[i].watch != 0) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = {watch, tag};
  ++used_;
}

void WatchSet::erase(std::int32_t watch) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t hole = home(watch);
  while (slots_[hole].watch != watch) hole = (hole + 1) & mask;
  // An entry that follows in the same run moves up if its home lies at or before the hole.
  // Otherwise it would not be found again.
  for (std::size_t i = (hole + 1) & mask; slots_[i].watch != 0; i = (i + 1) & mask) {
    const std::size_t distance = (i - home(slots_[i].watch)) & mask;
    if (distance >= ((i - hole) & mask)) {
      slots_[hole] = slots_[i];
      hole = i;
    }
  }
  slots_[hole] = {};
  --used_;
}

void WatchSet::grow() {
  std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : slots_.size() * 2));
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.watch != 0) insert(slot.watch, slot.tag);
  }
}

}  // namespace slipway::local
