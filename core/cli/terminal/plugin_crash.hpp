// Reports a plug-in that crashes, ends the command's process or does not return in time.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace slipway::cli {

/// Gives the current thread a stack on which it can report a stack overflow in a plug-in, for the
/// lifetime of the object. If there is no memory for the stack, such an overflow ends the process
/// without a report. Each thread that calls plug-ins needs one; watch_plugins() makes one for its
/// thread.
class CrashStack {
 public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  // Bytes. Each of the texts that make up a report takes 4 KiB of it.
  static constexpr std::size_t kSize = std::size_t{64} * 1024;
  void* memory_;  // MAP_FAILED without memory
};

/// Watches every call of a plug-in in this process from now on. If this function is called again,
/// also in a process that was forked from a watched one, it only sets `json`.
///
/// A crash inside such a call (a signal, including stack overflow and abort()) or a call of exit()
/// ends the process with exit status 70. Before that, an error on standard error, and with `json`
/// also on standard output, names the plug-in, its version and the call. A crash outside such a
/// call prints a message and then has its usual effect. A crash in a process that a plug-in forked
/// has its usual effect without a message.
///
/// The first watched call diverts standard output (plugin_output.hpp).
void watch_plugins(bool json);

/// Reports later crashes only on standard error, because the command has printed its document.
void end_json_reports();

/// Limits the time of a plug-in's start (PluginCall::Phase::kStart) in this process; 0 means no
/// limit. A start that takes longer ends the process with kExitTemporary, and an error like that of
/// a crash. Does nothing for a thread for which the system has no timer left.
void limit_plugin_starts(std::chrono::milliseconds limit);

/// Ends the process with kExitTimeout at `time` if this thread is then in a watched call, or as
/// soon as it is in one later. Before that, prints an error like that of a crash, which names the
/// plug-in and the call. std::nullopt cancels the limit. Must be called in the same thread each
/// time. Does nothing if the system has no timer left.
void end_call_that_runs_at(std::optional<std::chrono::steady_clock::time_point> time);

}  // namespace slipway::cli
