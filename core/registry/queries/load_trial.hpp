// Using plug-ins in processes of their own, to see what comes of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/trust.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

/// What a library said of itself, or why it cannot be used.
struct LoadTrial {
  std::string id;
  std::string version;
  std::string build;                  ///< what it was built with
  std::vector<std::string> provides;  ///< "slipway.scheduler/1 slurm"
  std::vector<std::string> warnings;
  std::optional<Error> error;
};

/// Loads the library of each plug-in, creates its providers and asks them: schedulers for their run
/// options and apps, the others for what they list. Everything happens in child processes, several
/// at a time: a crash, a hang and a call of exit() are errors like others, and what is printed is a
/// warning. `tried` gets each plug-in's place when its trial is over, in the order of the ends.
///
/// An engine that is not on this machine (kPrecondition) and a function that a plug-in does not
/// have are no errors. Providers that the manifest does not name are tried with no configuration.
/// The caller must have one thread.
void try_each(const std::vector<const PluginEntry*>& plugins, const TrustPolicy& trust,
              std::chrono::milliseconds limit,
              const std::function<void(std::size_t place, LoadTrial trial)>& tried);

/// The same for one plug-in.
LoadTrial try_load(const PluginEntry& plugin, const TrustPolicy& trust,
                   std::chrono::milliseconds limit = std::chrono::seconds(10));

}  // namespace slipway::registry
