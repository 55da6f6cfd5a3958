// The scheduler `slurm`: apps are jobs of a Slurm cluster.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/slurm/state/job_record.hpp"
#include "plugins/slurm/watch/followed_apps.hpp"
#include "plugins/slurm/watch/queue_watch.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

/// The id of an app is the id of its job. If Slurm does not answer the submission, the app has
/// another id at first, which stays valid as a second one (job_record.hpp). All state is in Slurm
/// and in records on a shared file system, so every process on any machine that has access to both
/// can control the app.
class SlurmScheduler : public Scheduler {
 public:
  using Scheduler::Scheduler;

  RunOpts run_opts(const Call& call) override;
  std::optional<std::vector<AppField>> app_fields(const Cfg& cfg, const Call& call) override;
  std::unique_ptr<Request> submit_dryrun(const AppDef& app, const Cfg& cfg,
                                         const OnFinding& on_finding, const Call& call) override;
  Submission schedule(const Request& request, const ScheduleOptions& options,
                      const Call& call) override;
  std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                      const Call& call) override;
  bool exists(std::string_view app_id, const Call& call) override;
  void cancel(std::string_view app_id, const CancelOptions& options, const Call& call) override;
  std::vector<SignalResult> signal(const SignalOrder& order, const Call& call) override;
  void delete_app(std::string_view app_id, const Call& call) override;
  std::vector<ListItem> list(const ListQuery& query, const Call& call) override;
  std::unique_ptr<Events> events_open(std::string_view app_id, EventScope scope,
                                      const Call& call) override;
  std::unique_ptr<LogIterator> log_open(const LogQuery& query, const Call& call) override;

 private:
  std::string state_root(const Call& call) const;
  /// Returns the directory of all records. Throws Error kDenied if the caller may not read them.
  std::string readable_root(const Call& call) const;
  /// Returns the directory of all records. Throws Error kDenied if the caller may not act on the
  /// app. A wait for the app is an action, because it writes files.
  std::string root_to_act_in(const std::string& app_id, const Call& call) const;
  std::unique_ptr<QueueWatch::Subscription> subscribe(const std::string& root,
                                                      const std::string& app_id);

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<QueueWatch>> watches_;  // by cluster
  std::shared_ptr<FollowedApps> followed_ = std::make_shared<FollowedApps>();
};

}  // namespace slipway::slurm
