// Selects the rule that this plug-in breaks in this process.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace faulty {

/// Returns whether the variable SLIPWAY_FAULT is `name`. Without the variable the plug-in has no
/// fault.
inline bool broken(std::string_view name) {
  const char* fault = std::getenv("SLIPWAY_FAULT");
  return fault != nullptr && name == fault;
}

/// Creates the file that SLIPWAY_FAULT_REACHED names, if this variable is set: a test waits for it.
inline void report_reached() {
  const char* file = std::getenv("SLIPWAY_FAULT_REACHED");
  if (file != nullptr) ::close(::open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/// Never returns if the fault `name` is selected.
inline void hang_with(std::string_view name) {
  if (!broken(name)) return;
  report_reached();
  for (;;) ::pause();
}

/// Aborts for a name of an app or a session that a host must not pass on, with the fault
/// aborts_for_invalid_names.
inline void check_name(std::string_view name) {
  if (broken("aborts_for_invalid_names") && !name.empty() && name.front() == '.') std::abort();
}

/// Overflows the stack: callers pass more `frames` than fit any stack.
[[gnu::noinline]] inline int overflow_stack(volatile char* above, long frames) {
  volatile char here[4096];
  here[0] = *above;
  return frames > 0 ? overflow_stack(here, frames - 1) + here[0] : 0;
}

/// Returns false if SLIPWAY_FAULT_FILE names a file that does not exist yet.
inline bool may_crash() {
  const char* file = std::getenv("SLIPWAY_FAULT_FILE");
  return file == nullptr || ::access(file, F_OK) == 0;
}

/// Crashes with the faults crashes_in_FUNCTION and overflows_in_FUNCTION; if SLIPWAY_FAULT_FILE
/// names a file, not before the file exists.
inline void crash_in(const char* function) {
  if (!may_crash()) return;
  if (broken(std::string("crashes_in_") + function)) std::raise(SIGSEGV);
  volatile char first = 1;
  if (broken(std::string("overflows_in_") + function)) overflow_stack(&first, 1'000'000'000);
}

/// Crashes in a thread of the plug-in with the fault crashes_in_a_thread; if SLIPWAY_FAULT_FILE
/// names a file, not before the file exists.
inline void crash_in_a_thread() {
  if (!may_crash()) return;
  if (broken("crashes_in_a_thread")) std::thread([] { std::raise(SIGSEGV); }).join();
}

}  // namespace faulty
