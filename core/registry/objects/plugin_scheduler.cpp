#include "core/registry/objects/plugin_scheduler.hpp"

#include <algorithm>
#include <utility>

#include "core/spec/problem.hpp"
#include "sdk/support/app_id.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/log_views.hpp"
#include "slipway/detail/option_views.hpp"
#include "slipway/detail/signal_thunks.hpp"
#include "slipway/detail/status_views.hpp"

namespace slipway::registry {

namespace {

// Returns whether a ReplicaStatus stands for several replicas.
bool has_merged(const Description& app) {
  return std::any_of(app.roles.begin(), app.roles.end(), [](const RoleStatus& role) {
    return std::any_of(role.replicas.begin(), role.replicas.end(),
                       [](const ReplicaStatus& replica) { return replica.count > 1; });
  });
}

// Returns how long log_next may wait, in milliseconds; -1: without limit. Throws Error kTimeout
// after the call limit.
std::int64_t within_call_limit(std::int64_t timeout_ms) {
  const auto left = time_until_call_limit();
  if (!left) return timeout_ms;
  if (left->count() == 0) throw Error(Code::kTimeout, "the logs have not ended");
  return timeout_ms < 0 ? left->count() : std::min<std::int64_t>(timeout_ms, left->count());
}

}  // namespace

// ---- events

PluginEvents::PluginEvents(std::shared_ptr<const SchedulerObject> scheduler, slipway_events* events)
    : scheduler_(std::move(scheduler)), events_(events) {}

PluginEvents::PluginEvents(PluginEvents&& other) noexcept
    : scheduler_(std::move(other.scheduler_)), events_(std::exchange(other.events_, nullptr)) {}

PluginEvents::~PluginEvents() {
  if (events_ != nullptr && scheduler_->has(&slipway_scheduler_vtbl::events_close))
    scheduler_->call_noexcept("events_close",
                              [this] { scheduler_->table().events_close(events_); });
}

int PluginEvents::fd() const {
  const auto function = scheduler_->need(&slipway_scheduler_vtbl::events_fd, "report events");
  return scheduler_->call_infallible("events_fd", [&] { return function(events_); });
}

bool PluginEvents::drain() {
  const auto function = scheduler_->need(&slipway_scheduler_vtbl::events_drain, "report events");
  return scheduler_->call("events_drain", [&](slipway_error* err) {
    return function(events_, err);
  }) != SLIPWAY_END;
}

// ---- logs

PluginLogs::PluginLogs(std::shared_ptr<const SchedulerObject> scheduler, slipway_log_iter* iter)
    : scheduler_(std::move(scheduler)), iter_(iter) {}

PluginLogs::PluginLogs(PluginLogs&& other) noexcept
    : scheduler_(std::move(other.scheduler_)),
      iter_(std::exchange(other.iter_, nullptr)),
      final_error_(std::move(other.final_error_)) {}

PluginLogs::~PluginLogs() {
  if (iter_ != nullptr && scheduler_->has(&slipway_scheduler_vtbl::log_close))
    scheduler_->call_noexcept("log_close", [this] { scheduler_->table().log_close(iter_); });
}

LogIterator::Next PluginLogs::next(std::int64_t timeout_ms, const LogIterator::Sink& sink) {
  const auto function = scheduler_->need(&slipway_scheduler_vtbl::log_next, "read logs");
  bool sink_has_failed = false;
  Callback on_chunk([&](const slipway_log_chunk* chunk) {
    const LogChunk read = abi::read(*chunk);
    try {
      sink(read);
    } catch (...) {
      sink_has_failed = true;
      throw;
    }
  });
  if (final_error_) throw Error(*final_error_);
  timeout_ms = within_call_limit(timeout_ms);
  slipway_status status = SLIPWAY_OK;
  try {
    status = scheduler_->call("log_next", on_chunk, [&](slipway_error* err) {
      return function(iter_, timeout_ms, on_chunk, &on_chunk, err);
    });
  } catch (const Error& error) {
    // An exception of `sink` says nothing about the plug-in's iterator.
    if (!sink_has_failed && error.code() != Code::kTemporary) final_error_ = error;
    throw;
  }
  if (status == SLIPWAY_AGAIN || status == SLIPWAY_END)
    return static_cast<LogIterator::Next>(status);
  return LogIterator::Next::kChunks;  // also for a positive status of a later version
}

void PluginLogs::cancel() noexcept {
  if (scheduler_->has(&slipway_scheduler_vtbl::log_cancel))
    scheduler_->call_noexcept("log_cancel", [this] { scheduler_->table().log_cancel(iter_); });
}

// ---- scheduler

PluginScheduler::PluginScheduler(std::shared_ptr<Library> library, slipway_scheduler* scheduler,
                                 std::string name)
    : object_(std::make_shared<SchedulerObject>(std::move(library), scheduler)),
      name_(std::move(name)) {
  object_->require_functions();
}

RunOpts PluginScheduler::run_opts() const {
  std::vector<RunOpt> declared;
  Callback on_opt([&](const slipway_run_opt* opt) { declared.push_back(abi::read(*opt)); });
  const slipway_call call = call_context(nullptr);
  object_->call("run_opts", on_opt, [&](slipway_error* err) {
    return object_->table().run_opts(object_->get(), &call, on_opt, &on_opt, err);
  });
  RunOpts out;
  for (RunOpt& option : declared) {
    try {
      out.add(std::move(option));
    } catch (const Error& error) {
      throw Error(Code::kAbi, error.message(), "this is an error in the plug-in",
                  object_->plugin_id());
    }
  }
  return out;
}

std::optional<std::vector<AppField>> PluginScheduler::app_fields(const Cfg& cfg) const {
  if (!object_->has(&slipway_scheduler_vtbl::app_fields)) return std::nullopt;
  std::vector<AppField> out;
  Callback on_field([&](const slipway_app_field* field) {
    const slipway_app_field wide = abi::widen(field);
    out.push_back({abi::str(wide.name), abi::str(wide.condition)});
  });
  const abi::CfgView cfg_view(cfg);
  const slipway_call call = call_context(nullptr);
  try {
    object_->call("app_fields", on_field, [&](slipway_error* err) {
      return object_->table().app_fields(object_->get(), &call, cfg_view.get(), on_field, &on_field,
                                         err);
    });
  } catch (const Error& error) {
    if (error.code() == Code::kUnimplemented) return std::nullopt;
    throw;
  }
  return out;
}

namespace {

/// Throws Error kNotFound for a text that cannot be an app id: plug-ins need not expect it.
void require_app_id(std::string_view app_id) {
  if (!is_app_id(app_id))
    throw Error(Code::kNotFound, "there is no app " + spec::quoted(app_id),
                std::string(kAppIdRule));
}

}  // namespace

AppRequest PluginScheduler::submit_dryrun(const AppDef& app, const Cfg& cfg,
                                          std::vector<Finding>& findings,
                                          const slipway_cancel* cancel) const {
  Callback on_finding([&](const slipway_finding* finding) {
    const slipway_finding wide = abi::widen(finding);
    findings.push_back(
        {wide.kind == SLIPWAY_FINDING_REFUSED ? Finding::Kind::kRefused : Finding::Kind::kIgnored,
         abi::str(wide.role), abi::str(wide.field), abi::str(wide.why)});
  });
  const abi::AppDefView app_view(app);
  const abi::CfgView cfg_view(cfg);
  const slipway_call call = call_context(cancel);
  slipway_request* request = nullptr;
  try {
    object_->call("submit_dryrun", on_finding, [&](slipway_error* err) {
      return object_->table().submit_dryrun(object_->get(), &call, app_view.get(), cfg_view.get(),
                                            on_finding, &on_finding, &request, err);
    });
  } catch (...) {
    // Destroys a request that the plug-in made although the call failed.
    const AppRequest returned(object_, request);
    throw;
  }
  if (request == nullptr)
    throw Error(Code::kAbi, "submit_dryrun succeeded without a request", {}, plugin_id());
  return {object_, request};
}

Submission PluginScheduler::schedule(const AppRequest& request, const ScheduleOptions& options,
                                     const slipway_cancel* cancel) const {
  std::string id;
  bool is_submitted = false;
  Callback on_submission([&](const slipway_submission* submission) {
    is_submitted = true;
    id = abi::str(abi::widen(submission).app_id);
  });
  auto opts = abi::sized<slipway_schedule_opts>();
  opts.flags = options.foreground ? SLIPWAY_SCHEDULE_FOREGROUND : 0;
  opts.owner_fd = options.owner_fd;
  const slipway_call call = call_context(cancel);
  constexpr const char* kMayRun = "look for the app with the tools of the scheduler: it may run";
  try {
    object_->call("schedule", on_submission, [&](slipway_error* err) {
      return object_->table().schedule(object_->get(), &call, request.get(), &opts, on_submission,
                                       &on_submission, err);
    });
  } catch (const Error& error) {
    if (!is_submitted) throw;
    const Code code = error.code() == Code::kAbi ? Code::kAbi : Code::kOutcomeUnknown;
    throw Error(code, error.message(), kMayRun, error.where());
  } catch (const std::exception& error) {  // too little memory for the id, for example
    if (!is_submitted) throw;
    throw Error(Code::kOutcomeUnknown, error.what(), kMayRun, plugin_id());
  }
  if (id.empty())
    throw Error(Code::kAbi, "schedule succeeded without an app id", kMayRun, plugin_id());
  if (!is_app_id(id)) {
    throw Error(Code::kAbi,
                "the app was submitted as " + spec::quoted(id) + ", but " + std::string(kAppIdRule),
                kMayRun, plugin_id());
  }
  return {id};
}

std::optional<Description> PluginScheduler::describe(std::string_view app_id, std::uint32_t want,
                                                     const slipway_cancel* cancel) const {
  if (!is_app_id(app_id)) return std::nullopt;
  std::optional<Description> out;
  Callback on_description(
      [&](const slipway_description* description) { out = abi::read(*description); });
  auto opts = abi::sized<slipway_describe_opts>();
  opts.want = want;
  const slipway_call call = call_context(cancel);
  object_->call("describe", on_description, [&](slipway_error* err) {
    return object_->table().describe(object_->get(), &call, abi::view(app_id), &opts,
                                     on_description, &on_description, err);
  });
  if (out && (want & SLIPWAY_WANT_MERGED) == 0 && has_merged(*out))
    throw Error(Code::kAbi, "describe merged replicas without SLIPWAY_WANT_MERGED", {},
                plugin_id());
  return out;
}

bool PluginScheduler::exists(std::string_view app_id, const slipway_cancel* cancel) const {
  if (!is_app_id(app_id)) return false;
  if (object_->has(&slipway_scheduler_vtbl::exists)) {
    const slipway_call call = call_context(cancel);
    std::int32_t found = 0;
    try {
      object_->call("exists", [&](slipway_error* err) {
        return object_->table().exists(object_->get(), &call, abi::view(app_id), &found, err);
      });
      return found != 0;
    } catch (const Error& error) {
      if (error.code() != Code::kUnimplemented) throw;
    }
  }
  try {
    return describe(app_id, 0, cancel).has_value();
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return false;  // the app's record was deleted
  }
}

void PluginScheduler::cancel(std::string_view app_id, const CancelOptions& options,
                             const slipway_cancel* cancel) const {
  if (!is_app_id(app_id)) return;
  auto opts = abi::sized<slipway_cancel_opts>();
  opts.now = options.now ? 1 : 0;
  opts.grace_ms = options.grace_ms.value_or(-1);
  const slipway_call call = call_context(cancel);
  object_->call("cancel", [&](slipway_error* err) {
    return object_->table().cancel(object_->get(), &call, abi::view(app_id), &opts, err);
  });
}

const void* PluginScheduler::extension(std::string_view id) const {
  if (!object_->has(&slipway_scheduler_vtbl::get_extension)) return nullptr;
  return object_->call_infallible("get_extension", [&] {
    return object_->table().get_extension(object_->get(), abi::view(id));
  });
}

std::vector<SignalResult> PluginScheduler::signal(const SignalOrder& order,
                                                  const slipway_cancel* cancel) const {
  const auto* table =
      static_cast<const slipway_scheduler_signal*>(extension(SLIPWAY_SCHEDULER_SIGNAL));
  if (table == nullptr || !abi::has(*table, &slipway_scheduler_signal::send))
    throw Error(
        Code::kUnimplemented, "the scheduler " + name_ + " sends no signals",
        "`slipway plugin show " + plugin_id() + "` shows its version; a newer one may send them",
        plugin_id());
  require_app_id(order.app_id);
  const abi::SignalOrderView view(order);
  const slipway_call call = call_context(cancel);
  std::vector<SignalResult> out;
  Callback on_result(
      [&](const slipway_signal_result* result) { out.push_back(abi::read(*result)); });
  object_->call("send", on_result, [&](slipway_error* err) {
    return table->send(object_->get(), &call, view.get(), on_result, &on_result, err);
  });
  return out;
}

void PluginScheduler::delete_app(std::string_view app_id, const slipway_cancel* cancel) const {
  const auto function = object_->need(&slipway_scheduler_vtbl::delete_app, "delete apps");
  if (!is_app_id(app_id)) return;
  const auto opts = abi::sized<slipway_delete_opts>();
  const slipway_call call = call_context(cancel);
  object_->call("delete_app", [&](slipway_error* err) {
    return function(object_->get(), &call, abi::view(app_id), &opts, err);
  });
}

std::vector<ListItem> PluginScheduler::list(const ListQuery& query,
                                            const slipway_cancel* cancel) const {
  std::vector<ListItem> out;
  Callback on_item([&](const slipway_list_item* item) { out.push_back(abi::read(*item)); });
  const slipway_list_query query_view = abi::view_of(query);
  const slipway_call call = call_context(cancel);
  object_->call("list", on_item, [&](slipway_error* err) {
    return object_->table().list(object_->get(), &call, &query_view, on_item, &on_item, err);
  });
  return out;
}

std::optional<PluginEvents> PluginScheduler::events_open(std::string_view app_id, EventScope scope,
                                                         const slipway_cancel* cancel) const {
  if (!object_->has(&slipway_scheduler_vtbl::events_open)) return std::nullopt;
  require_app_id(app_id);
  auto opts = abi::sized<slipway_events_opts>();
  opts.what = static_cast<std::int32_t>(scope);
  const slipway_call call = call_context(cancel);
  slipway_events* events = nullptr;
  try {
    object_->call("events_open", [&](slipway_error* err) {
      return object_->table().events_open(object_->get(), &call, abi::view(app_id), &opts, &events,
                                          err);
    });
  } catch (const Error& error) {
    if (error.code() == Code::kUnimplemented) return std::nullopt;
    throw;
  }
  if (events == nullptr)
    throw Error(Code::kAbi, "events_open succeeded without a subscription", {}, plugin_id());
  return PluginEvents(object_, events);
}

PluginLogs PluginScheduler::log_open(const LogQuery& query, const slipway_cancel* cancel) const {
  const auto function = object_->need(&slipway_scheduler_vtbl::log_open, "read logs");
  require_app_id(query.app_id);
  const abi::LogQueryView view(query);
  const slipway_call call = call_context(cancel);
  slipway_log_iter* iter = nullptr;
  object_->call("log_open", [&](slipway_error* err) {
    return function(object_->get(), &call, view.get(), &iter, err);
  });
  if (iter == nullptr)
    throw Error(Code::kAbi, "log_open succeeded without an iterator", {}, plugin_id());
  return {object_, iter};
}

}  // namespace slipway::registry
