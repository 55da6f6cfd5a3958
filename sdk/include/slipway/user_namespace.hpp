// The users that the process's user namespace maps.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The content of `/proc/self/uid_map`. Outside of user namespaces, and without /proc, all users
/// are mapped.
class UserNamespace {
 public:
  /// Returns the namespace of this process, read at the first call. [any thread]
  static const UserNamespace& of_process() {
    static const UserNamespace of_this_process;
    return of_this_process;
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
    const std::optional<std::string> map = content("/proc/self/uid_map");
    if (!map) return;
    bool maps_all = false;
    maps_outer_root_ = false;
    // Each line has three numbers. A line that maps all uids has the largest count.
    const char* next = map->c_str();
    while (*next != '\0') {
      number(next);  // the first uid inside of the namespace
      const unsigned long outside = number(next);
      const unsigned long count = number(next);
      maps_all = maps_all || count == std::numeric_limits<std::uint32_t>::max();
      maps_outer_root_ = maps_outer_root_ || (outside == 0 && count > 0);
      while (*next != '\0' && (*next < '0' || *next > '9')) ++next;
    }
    if (maps_all) return;
    const std::optional<std::string> overflow = content("/proc/sys/kernel/overflowuid");
    constexpr uid_t kUsual = 65534;  // the kernel's default
    const char* digits = overflow ? overflow->c_str() : "";
    unmapped_ = *digits != '\0' ? static_cast<uid_t>(number(digits)) : kUsual;
  }

  /// Reads the number at `next`, after spaces, and sets `next` to its end.
  static unsigned long number(const char*& next) {
    while (*next == ' ') ++next;
    unsigned long value = 0;
    for (; *next >= '0' && *next <= '9'; ++next)
      value = 10 * value + static_cast<unsigned long>(*next - '0');
    return value;
  }

  // Uses system calls, because every command reads these files: <fstream> initializes libstdc++'s
  // locales in every plug-in (0.1 ms), <cstdio> takes 10 us longer, and strtoul() 30 us.
  static std::optional<std::string> content(const char* path) {
    const OwnedFd file(::open(path, O_RDONLY | O_CLOEXEC));
    if (!file) return std::nullopt;
    std::string text;
    char part[4096];
    for (;;) {
      const ssize_t n = ::read(file.get(), part, sizeof part);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return text;
      text.append(part, static_cast<std::size_t>(n));
    }
  }

  std::optional<uid_t> unmapped_;
  bool maps_outer_root_ = true;
};

}  // namespace sdk_1_0
}  // namespace slipway
