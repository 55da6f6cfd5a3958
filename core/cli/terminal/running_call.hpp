// The plug-in call that the command's main thread is in, for its other threads.
#pragma once

#include <optional>
#include <string>

#include "core/registry/calls/plugin_call.hpp"

namespace slipway::cli {

struct RunningCall {
  std::string plugin;    ///< "org.example.slurm 1.2"
  std::string function;  ///< "schedule"
};

/// Makes the calling thread the one that running_call() is about.
void observe_calls_of_this_thread();

/// Records that the calling thread is now in `call`, or in none with nullptr. Does nothing in other
/// threads than that of observe_calls_of_this_thread(). `call` must live until the next record.
void record_call(const registry::PluginCall* call) noexcept;

/// Returns the innermost call that the observed thread is in, or nothing. [any thread]
std::optional<RunningCall> running_call();

}  // namespace slipway::cli
