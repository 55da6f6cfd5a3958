// Loading a plug-in in a process of its own, to see what comes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry/manifest.hpp"
#include "core/registry/trust.hpp"
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

/// Does all that Library::load() does, its init included, in a child process: a constructor that throws, crashes, hangs
/// or calls exit() ends that one and is told as an error. A library that is not done after `timeout_ms` is killed. What
/// it prints is dropped. The caller must not have other threads that hold locks.
LoadTrial try_load(const PluginEntry& plugin, const TrustPolicy& trust, int timeout_ms = 10'000);

}  // namespace slipway::registry
