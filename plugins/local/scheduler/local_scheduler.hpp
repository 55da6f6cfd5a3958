// The schedulers `local`, `local_cwd` and `local_dir`: replicas are processes of this machine.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/scheduler/image_providers.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// All state is in the engine's files, so any process can report on an app and control it.
/// CreateArgs::entry says which of the schedulers an object is: they differ in their image
/// providers, and `local_cwd` alone lists unreadable records.
class LocalScheduler : public Scheduler {
 public:
  static constexpr std::uint32_t kFlags =
      SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT | SLIPWAY_SCHEDULER_DELETES_OLD_APPS;

  LocalScheduler(Host host, CreateArgs args);

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
  AppRef ref(std::string_view app_id, const Call& call) const;
  /// Returns the app if it exists and belongs to this scheduler. Starts a successor first if
  /// supervisor and warden have died.
  std::optional<AppSummary> find(const AppRef& app) const;
  bool find_or_damaged(const AppRef& app) const;
  std::optional<Description> describe(const AppRef& app, std::uint32_t want);
  /// Deletes finished apps that the retention does not keep, and logs how many were deleted because
  /// of their size.
  void prune(const std::string& state_root, std::vector<AppSummary> apps, const Retention& keep);
  /// Throws kNotFound with the reason if the app was pruned or deleted.
  void throw_if_deleted(const AppRef& app) const;
  std::vector<AppSummary> others_below(const std::string& state_root) const;
  /// Updates the summary of an unfinished app. If that fails, keeps the summary and logs a warning.
  /// Returns false if this scheduler must not list the app.
  bool refresh(const AppRef& place, AppSummary& app);

  ImageProviders images_;
  std::set<std::string> described_;  // ids of apps that describe() has found
  std::vector<OwnedFd> owned_apps_;  // keep the records until the owners have read the ends
};

}  // namespace slipway::local
