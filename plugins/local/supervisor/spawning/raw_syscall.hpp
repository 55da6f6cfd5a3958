// System calls for a child that shares its parent's memory.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <type_traits>

#include "plugins/local/engine/unsanitized.hpp"

namespace slipway::local {

/// Makes the system call `number` with at most four arguments, numbers or pointers. Returns its
/// result, or -errno. On x86-64 it does not change errno, which belongs to the parent if both run
/// at the same time; on other processors the parent waits (begin_spawn()). Async-signal-safe.
template <typename... Arguments>
SLIPWAY_UNSANITIZED long raw_syscall(long number, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 4);
  [[maybe_unused]] const auto word = [](auto argument) SLIPWAY_UNSANITIZED {
    if constexpr (std::is_pointer_v<decltype(argument)>) {
      return reinterpret_cast<long>(argument);
    } else {
      return static_cast<long>(argument);
    }
  };
  const long words[4] = {word(arguments)...};
#if defined(__x86_64__)
  register long fourth asm("r10") = words[3];
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
#else
  const long result = ::syscall(number, words[0], words[1], words[2], words[3]);
  return result < 0 ? -errno : result;
#endif
}

/// Gives `signal` its default action. Works for the two internal signals of the C library as well,
/// which its sigaction() refuses. Async-signal-safe.
SLIPWAY_UNSANITIZED inline void reset_signal(int signal) {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
  } const default_action{};
  decltype(default_action)* const old = nullptr;
  raw_syscall(SYS_rt_sigaction, signal, &default_action, old, sizeof default_action.mask);
}

}  // namespace slipway::local
