// The C table of slipway::Scheduler. Each function reads the views, calls the C++ function under
// guard() and passes the result to the host's callback.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/log_views.hpp"
#include "slipway/detail/option_views.hpp"
#include "slipway/detail/scheduler_object.hpp"
#include "slipway/detail/signal_thunks.hpp"
#include "slipway/detail/status_views.hpp"
#include "slipway/scheduler.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct RequestObject {
  std::unique_ptr<Request> impl;
};
inline slipway_request* handle(RequestObject* r) { return reinterpret_cast<slipway_request*>(r); }
inline RequestObject& object(slipway_request* r) { return *reinterpret_cast<RequestObject*>(r); }
inline const RequestObject& object(const slipway_request* r) {
  return *reinterpret_cast<const RequestObject*>(r);
}

struct EventsObject {
  const slipway_host* host;
  std::unique_ptr<Events> impl;
};
inline EventsObject& object(slipway_events* e) { return *reinterpret_cast<EventsObject*>(e); }

struct LogIterObject {
  const slipway_host* host;
  std::unique_ptr<LogIterator> impl;
};
inline LogIterObject& object(slipway_log_iter* i) { return *reinterpret_cast<LogIterObject*>(i); }

namespace scheduler_thunks {

inline void destroy(slipway_scheduler* self) {
  guard(nullptr, nullptr, [&] {
    object(self).impl->close();
    delete &object(self);
  });
}

inline slipway_status run_opts(slipway_scheduler* self, const slipway_call* call,
                               slipway_on_run_opt on_opt, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const RunOpt& opt : object(self).impl->run_opts(Call(call, object(self).host, err))) {
      const RunOptView view(opt);
      ok(on_opt(ctx, view.get()));
    }
  });
}

inline slipway_status app_fields(slipway_scheduler* self, const slipway_call* call,
                                 const slipway_cfg* cfg, slipway_on_app_field on_field, void* ctx,
                                 slipway_error* err) {
  return guard(object(self).host, err, [&]() -> slipway_status {
    const auto fields =
        object(self).impl->app_fields(read(*cfg), Call(call, object(self).host, err));
    if (!fields) return SLIPWAY_E_UNIMPLEMENTED;
    for (const AppField& field : *fields) {
      auto v = sized<slipway_app_field>();
      v.name = view(field.name);
      v.condition = view_or_absent(field.condition);
      ok(on_field(ctx, &v));
    }
    return SLIPWAY_OK;
  });
}

inline slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call* call,
                                    const slipway_app_def* app, const slipway_cfg* cfg,
                                    slipway_on_finding on_finding, void* ctx, slipway_request** out,
                                    slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto report = [&](const Finding& finding) {
      auto f = sized<slipway_finding>();
      f.kind = static_cast<std::int32_t>(finding.kind);
      f.role = view_or_absent(finding.role);
      f.field = view(finding.field);
      f.why = view(finding.why);
      ok(on_finding(ctx, &f));
    };
    auto request = std::make_unique<RequestObject>();
    request->impl = object(self).impl->submit_dryrun(read_order(*app), read(*cfg), report,
                                                     Call(call, object(self).host, err));
    if (!request->impl) throw Error(Code::kInternal, "submit_dryrun made no request");
    *out = handle(request.release());
  });
}

inline slipway_status request_print(slipway_scheduler* self, const slipway_request* request,
                                    int32_t format, slipway_on_str on_text, void* ctx,
                                    slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto sink = [&](std::string_view piece) { ok(on_text(ctx, view(piece))); };
    if (format == SLIPWAY_PRINT_JSON) return object(request).impl->print_json(sink);
    if (format == SLIPWAY_PRINT_TEXT) return object(request).impl->print_text(sink);
    throw Error(Code::kUnimplemented,
                "this plug-in does not know the format " + std::to_string(format));
  });
}

inline slipway_status request_patch(slipway_scheduler* self, slipway_request* request,
                                    slipway_str patch_json, slipway_error* err) {
  return guard(object(self).host, err, [&] { object(request).impl->patch(text(patch_json)); });
}

inline void request_free(slipway_scheduler*, slipway_request* request) {
  guard(nullptr, nullptr, [&] { delete &object(request); });
}

inline slipway_status schedule(slipway_scheduler* self, const slipway_call* call,
                               const slipway_request* request, const slipway_schedule_opts* opts,
                               slipway_on_submission on_submission, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const slipway_schedule_opts o = widen(opts);
    refuse_later_flags(o.flags, "submit an app");
    ScheduleOptions options;
    options.foreground = (o.flags & SLIPWAY_SCHEDULE_FOREGROUND) != 0;
    options.owner_fd = options.foreground ? o.owner_fd : -1;
    const Submission made = object(self).impl->schedule(*object(request).impl, options,
                                                        Call(call, object(self).host, err));
    auto v = sized<slipway_submission>();
    v.app_id = view(made.app_id);
    ok(on_submission(ctx, &v));
  });
}

inline slipway_status describe(slipway_scheduler* self, const slipway_call* call,
                               slipway_str app_id, const slipway_describe_opts* opts,
                               slipway_on_description on_description, void* ctx,
                               slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto found = object(self).impl->describe(text(app_id), widen(opts).want,
                                                   Call(call, object(self).host, err));
    if (!found) return;
    const DescriptionView view(*found);
    ok(on_description(ctx, view.get()));
  });
}

inline slipway_status exists(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             int32_t* out, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    *out = object(self).impl->exists(text(app_id), Call(call, object(self).host, err)) ? 1 : 0;
  });
}

inline slipway_status cancel(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             const slipway_cancel_opts* opts, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const slipway_cancel_opts o = widen(opts);
    CancelOptions options;
    options.now = o.now != 0;
    if (o.grace_ms >= 0) options.grace_ms = o.grace_ms;
    object(self).impl->cancel(text(app_id), options, Call(call, object(self).host, err));
  });
}

inline slipway_status delete_app(slipway_scheduler* self, const slipway_call* call,
                                 slipway_str app_id, const slipway_delete_opts*,
                                 slipway_error* err) {
  return guard(object(self).host, err, [&] {
    object(self).impl->delete_app(text(app_id), Call(call, object(self).host, err));
  });
}

inline slipway_status list(slipway_scheduler* self, const slipway_call* call,
                           const slipway_list_query* query, slipway_on_list_item on_item, void* ctx,
                           slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const ListItem& item :
         object(self).impl->list(read(*query), Call(call, object(self).host, err))) {
      const slipway_list_item v = view_of(item);
      ok(on_item(ctx, &v));
    }
  });
}

inline slipway_status events_open(slipway_scheduler* self, const slipway_call* call,
                                  slipway_str app_id, const slipway_events_opts* opts,
                                  slipway_events** out, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    // A scope of a later version gets all changes: a subscription may report more than requested.
    const EventScope scope =
        widen(opts).what == SLIPWAY_EVENTS_STATE ? EventScope::kState : EventScope::kReplicas;
    auto events = std::make_unique<EventsObject>();
    events->host = object(self).host;
    events->impl =
        object(self).impl->events_open(text(app_id), scope, Call(call, object(self).host, err));
    if (!events->impl) throw Error(Code::kUnimplemented, "this scheduler has no events");
    *out = reinterpret_cast<slipway_events*>(events.release());
  });
}

inline int32_t events_fd(slipway_events* events) {
  int32_t fd = -1;
  guard(nullptr, nullptr, [&] { fd = object(events).impl->fd(); });
  return fd;
}

inline slipway_status events_drain(slipway_events* events, slipway_error* err) {
  return guard(object(events).host, err, [&]() -> slipway_status {
    return object(events).impl->drain() ? SLIPWAY_OK : SLIPWAY_END;
  });
}

inline void events_close(slipway_events* events) {
  guard(nullptr, nullptr, [&] { delete &object(events); });
}

inline slipway_status log_open(slipway_scheduler* self, const slipway_call* call,
                               const slipway_log_query* query, slipway_log_iter** out,
                               slipway_error* err) {
  return guard(object(self).host, err, [&] {
    auto iter = std::make_unique<LogIterObject>();
    iter->host = object(self).host;
    iter->impl = object(self).impl->log_open(read(*query), Call(call, object(self).host, err));
    if (!iter->impl) throw Error(Code::kInternal, "log_open made no iterator");
    *out = reinterpret_cast<slipway_log_iter*>(iter.release());
  });
}

inline slipway_status log_next(slipway_log_iter* iter, int64_t timeout_ms,
                               slipway_on_log_chunk on_chunk, void* ctx, slipway_error* err) {
  return guard(object(iter).host, err, [&]() -> slipway_status {
    const auto sink = [&](const LogChunk& chunk) {
      const slipway_log_chunk v = view_of(chunk);
      ok(on_chunk(ctx, &v));
    };
    return static_cast<slipway_status>(object(iter).impl->next(timeout_ms, sink));
  });
}

// Without guard(), because LogIterator::cancel() is noexcept.
inline void log_cancel(slipway_log_iter* iter) { object(iter).impl->cancel(); }

inline void log_close(slipway_log_iter* iter) {
  guard(nullptr, nullptr, [&] { delete &object(iter); });
}

inline const void* get_extension(slipway_scheduler* self, slipway_str id) {
  const void* found = nullptr;
  guard(nullptr, nullptr, [&] {
    found = object(self).impl->extension(text(id));
    if (found == nullptr && text(id) == SLIPWAY_SCHEDULER_SIGNAL) found = &kSchedulerSignal;
  });
  return found;
}

}  // namespace scheduler_thunks

template <std::uint32_t Flags>
inline constexpr slipway_scheduler_vtbl kSchedulerTable = {
    sizeof(slipway_scheduler_vtbl),  Flags,
    scheduler_thunks::destroy,       scheduler_thunks::run_opts,
    scheduler_thunks::app_fields,    scheduler_thunks::submit_dryrun,
    scheduler_thunks::request_print, scheduler_thunks::request_patch,
    scheduler_thunks::request_free,  scheduler_thunks::schedule,
    scheduler_thunks::describe,      scheduler_thunks::exists,
    scheduler_thunks::cancel,        scheduler_thunks::delete_app,
    scheduler_thunks::list,          scheduler_thunks::events_open,
    scheduler_thunks::events_fd,     scheduler_thunks::events_drain,
    scheduler_thunks::events_close,  scheduler_thunks::log_open,
    scheduler_thunks::log_next,      scheduler_thunks::log_cancel,
    scheduler_thunks::log_close,     scheduler_thunks::get_extension,
};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
