// The users that the process's user namespace maps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
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
    const File map = open("/proc/self/uid_map");
    if (!map) return;
    bool maps_all = false;
    maps_outer_root_ = false;
    unsigned long inside = 0;
    unsigned long outside = 0;
    unsigned long count = 0;
    while (std::fscanf(map.get(), "%lu %lu %lu", &inside, &outside, &count) == 3) {
      maps_all = maps_all || count == std::numeric_limits<std::uint32_t>::max();
      maps_outer_root_ = maps_outer_root_ || (outside == 0 && count > 0);
    }
    if (maps_all) return;
    const File overflow = open("/proc/sys/kernel/overflowuid");
    constexpr uid_t kUsual = 65534;
    const bool known = overflow && std::fscanf(overflow.get(), "%lu", &inside) == 1;
    unmapped_ = known ? static_cast<uid_t>(inside) : kUsual;
  }

  // Not <fstream>: it costs every plug-in the start of libstdc++'s locales, 0.1 ms.
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  static File open(const char* path) { return File(std::fopen(path, "re")); }

  std::optional<uid_t> unmapped_;
  bool maps_outer_root_ = true;
};

}  // namespace sdk_1_0
}  // namespace slipway
