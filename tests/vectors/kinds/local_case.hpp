// What local_scheduler_dryrun and local_run share: an app, its run options and the place that they run in.
#pragma once

#include <string>

#include "slipway/app.hpp"
#include "slipway/options.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/placeholders.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// A case of the local scheduler below the runner's validation, in directories of its own: state, logs, temporary files,
/// an image and the working directory. `expected` of the case gets real paths for its placeholders.
class LocalCase {
 public:
  static constexpr const char* kSession = "sess";

  /// Sets the surroundings up: environment variables (`environ`, `host_gpus`) and working directory.
  explicit LocalCase(VectorCase& one);

  /// The scheduler that the case's `image_provider` (cwd or dir) stands for.
  registry::AdoptedScheduler scheduler(Bench& bench) const;

  /// The dry run of the case's app with its `cfg` and `extra_paths`, resolved as the runner does. `with` is set on top.
  registry::AdoptedRequest request(const registry::AdoptedScheduler& scheduler,
                                   const Dict<Value>& with) const;

  /// The app's id as the vectors have it: a fixed suffix instead of the random one.
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
