// The schedulers `local_docker` and `docker`: replicas are containers of a Docker engine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/state/container.hpp"
#include "plugins/docker/state/submitter_files.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// All state except SubmitterFiles is in the engine, in the names and labels of containers. So
/// every process and user that may use the engine's socket can control the app.
class DockerScheduler : public Scheduler {
 public:
  using Scheduler::Scheduler;
  static constexpr std::uint32_t kFlags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT;

  RunOpts run_opts(const Call& call) override;
  std::optional<std::vector<AppField>> app_fields(const Cfg& cfg, const Call& call) override;
  std::unique_ptr<Request> submit_dryrun(const AppDef& app, const Cfg& cfg,
                                         const OnFinding& on_finding, const Call& call) override;
  Submission schedule(const Request& request, const ScheduleOptions& options,
                      const Call& call) override;
  std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                      const Call& call) override;
  void cancel(std::string_view app_id, const CancelOptions& options, const Call& call) override;
  std::vector<SignalResult> signal(const SignalOrder& order, const Call& call) override;
  void delete_app(std::string_view app_id, const Call& call) override;
  std::vector<ListItem> list(const ListQuery& query, const Call& call) override;
  std::unique_ptr<Events> events_open(std::string_view app_id, EventScope scope,
                                      const Call& call) override;
  std::unique_ptr<LogIterator> log_open(const LogQuery& query, const Call& call) override;

 private:
  Engine engine() const;
  bool may_have_engine() const;
  SubmitterFiles files_of(const std::string& app_id, const Call& call) const;
  void write_submitter_files(const AppPlan& plan, const ScheduleOptions& options, const Call& call);
  void supervise(const std::vector<Container>& containers, bool is_over, const Call& call);
  std::optional<Description> look_up(std::string_view app_id, std::uint32_t want, const Call& call);
  bool owns(const std::string& app_id) const { return owned_.count(app_id) != 0; }
  std::vector<Container> containers_of(std::string_view app_id, const Call& call) const;
  std::vector<Container> require_containers(std::string_view app_id, const Call& call) const;

  /// The descriptors by which this process is the owner of an app.
  struct Ownership {
    OwnedFd lock;  // SubmitterFiles::own()
    OwnedFd fd;    // the owner's descriptor, for a successor of the helper
  };

  std::map<std::string, Ownership> owned_;  // by app id
  bool has_described_ = false;              // the engine has answered about an app
};

}  // namespace slipway::docker
