// Shared by local_scheduler_dryrun and local_run: an app, its run options and its environment.
#pragma once

#include <string>

#include "slipway/app.hpp"
#include "slipway/options.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/placeholders.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// A case that calls the local scheduler directly, with its own directories: state, logs, temporary
/// files, an image and the working directory. Replaces placeholders in the case's `expected` by
/// real paths.
class LocalCase {
 public:
  static constexpr const char* kSession = "sess";

  /// Sets the environment variables (`environ`, `host_gpus`) and the working directory.
  explicit LocalCase(VectorCase& one);

  /// Returns the scheduler for the case's `image_provider` (cwd or dir).
  registry::PluginScheduler scheduler(Bench& bench) const;

  /// Returns the dry run of the case's app with its `cfg` and `extra_paths`, resolved like in the
  /// runner. `with` overrides options.
  AppRequest request(const registry::PluginScheduler& scheduler, const Dict<Value>& with) const;

  /// Returns the app's id with the vectors' fixed suffix instead of the random one.
  std::string vector_id() const { return app_.name + "-bcdfghjkl01234"; }

  const std::string& state_dir() const { return state_; }
  const std::string& log_dir() const { return logs_; }

 private:
  ScratchDirectory root_;
  std::string state_;
  std::string logs_;
  Surroundings surroundings_;
  json::object input_;
  AppDef app_;
};

}  // namespace slipway::vectors
