// The request of a local scheduler (TorchX's PopenRequest): the commands to launch, before any file
// or process of the app exists.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/scheduler/local_options.hpp"
#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// One replica as it would be launched (TorchX's ReplicaParam).
struct ReplicaCommand {
  StrList args;
  StrDict env;  ///< laid over the inherited environment
  std::string cwd;
  std::string log_dir;  ///< of the replica
};

class LocalRequest : public Request {
 public:
  /// The parts of which build_request() makes a request.
  struct Parts {
    AppDef app;  ///< as the host gave it
    LocalOptions options;
    LaunchPlan plan;                           ///< log_dir, paths below it, and cwd may be relative
    std::string base_dir;                      ///< the directory of relative paths
    std::vector<std::string> image_providers;  ///< names, one for each role of the app
  };

  explicit LocalRequest(Parts parts) : parts_(std::move(parts)) {}

  void print_text(const Sink& sink) const override;
  void print_json(const Sink& sink) const override;
  void patch(std::string_view patch_json) override;

  const AppDef& app() const { return parts_.app; }
  const LocalOptions& options() const { return parts_.options; }
  const LaunchPlan& plan() const { return parts_.plan; }
  const std::vector<std::string>& image_providers() const { return parts_.image_providers; }

  const std::string& base_dir() const { return parts_.base_dir; }

  /// Returns the plan with absolute paths, as the engine requires.
  LaunchPlan absolute_plan() const;

  using OnReplica = std::function<void(const LaunchGroup& group, std::int32_t replica,
                                       const ReplicaCommand& command)>;
  /// Calls `use(group, replica, command)` for each replica in order, with macros replaced. If
  /// `role` is given, calls it only for the replicas of that role.
  void each_replica(const OnReplica& use, const std::string* role = nullptr) const;

 private:
  Parts parts_;
};

/// Returns `dir`, or `dir` below `base` if it is relative, in normal form.
std::string absolute_path(const std::string& base, const std::string& dir);

/// Returns the value of `${img_root}` for the directory `root` of an image provider: an absolute
/// path as it is, or else the directory below `base`.
std::string image_root(const std::string& base, const std::string& root);

}  // namespace slipway::local
