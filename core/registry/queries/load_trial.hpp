// Tries plug-ins in query processes: loads them and calls their providers.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

/// The result of a trial: what the library describes, and the reason if it is unusable.
struct LoadTrial {
  std::string id;
  std::string version;
  std::string build;                    ///< the compiler and SDK that built it
  std::vector<std::string> provides;    ///< "slipway.scheduler/1 slurm"
  std::vector<spec::Problem> warnings;  ///< with the place of the manifest, and a hint
  std::optional<Error> error;
};

/// Loads the library of each plug-in and creates its providers. Calls `run_opts` and `list` of
/// schedulers, and `list` of named resources and components. Runs in query processes, several at a
/// time: a crash, a hang or a call of exit() is an error, and output is a warning. Calls `tried`
/// with the index of each plug-in when its trial has ended. The first error ends the trial.
///
/// It is not an error if the machine lacks what a scheduler needs, such as Slurm (kPrecondition),
/// or if a function is not implemented. A failure that may be transient, or only of this user
/// (kUnavailable, kTimeout, kTemporary, kDenied), is a warning. A plug-in without a manifest, or
/// whose manifest lists no providers, is tried with all its providers. Throws the error of a trial
/// that the limit of limit_calls() has ended (call_context.hpp). Threads: as run_queries()
/// (query_process.hpp).
void try_each(const std::vector<const PluginEntry*>& plugins, const TrustPolicy& trust,
              std::chrono::milliseconds limit,
              const std::function<void(std::size_t index, LoadTrial trial)>& tried);

/// Tries one plug-in as try_each() does, and returns the result.
LoadTrial try_load(const PluginEntry& plugin, const TrustPolicy& trust,
                   std::chrono::milliseconds limit = std::chrono::seconds(10));

}  // namespace slipway::registry
