// The users that the process's user namespace maps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>

namespace slipway {
inline namespace sdk_1_0 {

/// The content of `/proc/self/uid_map`. Outside of user namespaces, and without /proc, all users
/// are mapped.
class UserNamespace {
 public:
  /// Returns the namespace of this process, read at the first call. Thread-safe.
  static const UserNamespace& of_process() {
    static const UserNamespace read;
    return read;
  }

  /// Returns the uid that the kernel shows for every user whom the namespace does not map, or
  /// nullopt when it maps all users. A file with this uid may belong to any of them.
  const std::optional<uid_t>& unmapped() const { return unmapped_; }

  /// Returns whether `user` is the uid of users whom the namespace does not map.
  bool is_unmapped(uid_t user) const { return unmapped_ == user; }

  /// Returns whether the namespace maps uid 0 of the namespace around it.
  bool maps_outer_root() const { return maps_outer_root_; }

 private:
  UserNamespace() {
    constexpr unsigned long kAll = std::numeric_limits<std::uint32_t>::max();
    std::ifstream map("/proc/self/uid_map");
    if (!map.is_open()) return;
    bool maps_all = false;
    maps_outer_root_ = false;
    for (unsigned long inside = 0, outside = 0, count = 0; map >> inside >> outside >> count;) {
      maps_all = maps_all || count == kAll;
      maps_outer_root_ = maps_outer_root_ || (outside == 0 && count > 0);
    }
    if (maps_all) return;
    constexpr uid_t kUsual = 65534;
    std::ifstream overflow("/proc/sys/kernel/overflowuid");
    uid_t number = 0;
    unmapped_ = overflow >> number ? number : kUsual;
  }

  std::optional<uid_t> unmapped_;
  bool maps_outer_root_ = true;
};

}  // namespace sdk_1_0
}  // namespace slipway
