// A scheduler of a plug-in as a C++ class; see slipway/abi/scheduler.h for the contracts. Results
// are values. Failures of the plug-in are Errors whose where() is the plug-in's id.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/scheduler.h"
#include "slipway/app_request.hpp"
#include "slipway/logs.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/status.hpp"

namespace slipway::registry {

using SchedulerObject = PluginObject<slipway_scheduler, slipway_scheduler_vtbl>;

/// A subscription to the changes of one app. Shares ownership of its scheduler.
class PluginEvents {
 public:
  PluginEvents(std::shared_ptr<const SchedulerObject> scheduler, slipway_events* events);
  PluginEvents(PluginEvents&& other) noexcept;
  PluginEvents& operator=(PluginEvents&&) = delete;
  ~PluginEvents();

  /// Returns a descriptor for poll() that is readable when the app may have changed. Borrowed.
  int fd() const;
  /// Makes fd() unreadable until the next change. Returns false if no change will follow.
  bool drain();

 private:
  std::shared_ptr<const SchedulerObject> scheduler_;
  slipway_events* events_;
};

/// A reader of the logs of one app. Shares ownership of its scheduler.
class PluginLogs {
 public:
  PluginLogs(std::shared_ptr<const SchedulerObject> scheduler, slipway_log_iter* iter);
  PluginLogs(PluginLogs&& other) noexcept;
  PluginLogs& operator=(PluginLogs&&) = delete;
  ~PluginLogs();

  /// Passes the available chunks to `sink`. If none is available, waits for one at most
  /// `timeout_ms` milliseconds (-1: without limit). Throws kCancelled after cancel(), and kTimeout
  /// after the call limit. After kTemporary the caller may call again; any other error of the
  /// plug-in is final, and later calls throw it again.
  LogIterator::Next next(std::int64_t timeout_ms, const LogIterator::Sink& sink);
  /// Stops the current and all later calls of next(). [any thread]
  void cancel() noexcept;

 private:
  std::shared_ptr<const SchedulerObject> scheduler_;
  slipway_log_iter* iter_;
  std::optional<Error> final_error_;  // thrown by every later call of next()
};

/// The caller must ensure that calls do not overlap, as the ABI's thread rule requires. A text that
/// cannot be an app id (sdk/support/app_id.hpp) is an unknown app; the plug-in does not get it.
class PluginScheduler {
 public:
  PluginScheduler(std::shared_ptr<Library> library, slipway_scheduler* scheduler, std::string name);

  const std::string& name() const { return name_; }
  const std::string& plugin_id() const { return object_->plugin_id(); }
  /// Returns whether `slipway run` stays in the foreground by default.
  bool foreground_by_default() const {
    return (flags() & SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT) != 0;
  }
  /// Returns whether the scheduler deletes old apps without a call of the host.
  bool deletes_old_apps() const { return (flags() & SLIPWAY_SCHEDULER_DELETES_OLD_APPS) != 0; }
  /// Returns whether every role must have a resource.
  bool needs_resources() const { return (flags() & SLIPWAY_SCHEDULER_NEEDS_RESOURCES) != 0; }

  RunOpts run_opts() const;
  /// Returns nullopt if the scheduler does not say which fields it acts on.
  std::optional<std::vector<AppField>> app_fields(const Cfg& cfg) const;
  /// Appends to `findings`, also if it throws.
  AppRequest submit_dryrun(const AppDef& app, const Cfg& cfg, std::vector<Finding>& findings,
                           const slipway_cancel* cancel = nullptr) const;
  Submission schedule(const AppRequest& request, const ScheduleOptions& options,
                      const slipway_cancel* cancel = nullptr) const;
  /// Returns nullopt for an unknown app. Throws kNotFound if the app's record was deleted. `want`
  /// has bits SLIPWAY_WANT_*.
  std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                      const slipway_cancel* cancel = nullptr) const;
  bool exists(std::string_view app_id, const slipway_cancel* cancel = nullptr) const;
  void cancel(std::string_view app_id, const CancelOptions& options,
              const slipway_cancel* cancel = nullptr) const;
  std::vector<SignalResult> signal(const SignalOrder& order,
                                   const slipway_cancel* cancel = nullptr) const;
  void delete_app(std::string_view app_id, const slipway_cancel* cancel = nullptr) const;
  /// Returns at least the apps that the query selects.
  std::vector<ListItem> list(const ListQuery& query = {},
                             const slipway_cancel* cancel = nullptr) const;
  /// Returns nullopt if the scheduler has no events, so that the caller must poll.
  std::optional<PluginEvents> events_open(std::string_view app_id, EventScope scope,
                                          const slipway_cancel* cancel = nullptr) const;
  PluginLogs log_open(const LogQuery& query, const slipway_cancel* cancel = nullptr) const;

 private:
  /// Returns the scheduler's table for an optional ability, or nullptr if it lacks the ability.
  const void* extension(std::string_view id) const;
  std::uint32_t flags() const { return object_->table().flags; }

  std::shared_ptr<const SchedulerObject> object_;
  std::string name_;
};

}  // namespace slipway::registry
