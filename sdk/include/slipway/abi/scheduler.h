/* slipway/abi/scheduler.h - the interface "slipway.scheduler/1".
 *
 * A scheduler turns an app into a request (submit_dryrun), submits it (schedule) and then answers
 * for it from any process: nothing may be kept only in memory. An app id is unique within the
 * scheduler.
 *
 * For each function: its inputs are valid until it returns, results come through the callback (R4),
 * and a negative return is an error whose reason was given to slipway_host.error_set. [required] or
 * [optional]; the host checks both for presence (R6). An app that does not exist is an error of
 * none of them but log_open and events_open.
 */
#ifndef SLIPWAY_ABI_SCHEDULER_H
#define SLIPWAY_ABI_SCHEDULER_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"
#include "slipway/abi/logs.h"
#include "slipway/abi/options.h"
#include "slipway/abi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_SCHEDULER "slipway.scheduler/1"

/* FROZEN, opaque, plug-in owned: what would be submitted. */
typedef struct slipway_request slipway_request;

/* FROZEN, opaque, plug-in owned: a subscription to the changes of one app. */
typedef struct slipway_events slipway_events;

/* What submit_dryrun noticed about the app, to be told to the user. */
enum {
  SLIPWAY_FINDING_IGNORED = 0, /* this scheduler will not act on the field */
  SLIPWAY_FINDING_REFUSED = 1  /* schedule will fail because of it */
};
typedef struct slipway_finding {
  uint32_t struct_size;
  int32_t kind;
  slipway_str role;  /* absent: it concerns the whole app */
  slipway_str field; /* as in an app file: "mounts", "resource.gpu" */
  slipway_str why;
} slipway_finding;
typedef slipway_status (*slipway_on_finding)(void* ctx, const slipway_finding* finding);

enum { SLIPWAY_PRINT_TEXT = 0, SLIPWAY_PRINT_JSON = 1 };

enum {
  /* The app belongs to the process that schedules it: when `owner_fd` reports end-of-file or
   * hang-up, the app is to be cancelled, whatever ended that process. */
  SLIPWAY_SCHEDULE_FOREGROUND = 1
};
typedef struct slipway_schedule_opts {
  uint32_t struct_size;
  uint32_t flags;
  int32_t owner_fd; /* -1: none. Borrowed: dup it, and keep it out of the replicas. */
  int32_t reserved0;
} slipway_schedule_opts;

typedef struct slipway_cancel_opts {
  uint32_t struct_size;
  int32_t now;      /* nonzero: no grace at all */
  int64_t grace_ms; /* how long replicas may take to end; -1: as the app was submitted with */
} slipway_cancel_opts;

/* Which changes a subscription tells. Of an app of many replicas, most watchers want its end alone.
 */
enum {
  SLIPWAY_EVENTS_STATE = 0,   /* the app's own state */
  SLIPWAY_EVENTS_REPLICAS = 1 /* its replicas', too */
};

/* Bits of slipway_scheduler_vtbl.flags. */
enum {
  /* `slipway run` stays in the foreground by default: the replicas are this machine's. */
  SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT = 1,
  /* submit needs a resource for every role, as TorchX's `_validate` asks where a scheduler
   * allocates by it. */
  SLIPWAY_SCHEDULER_NEEDS_RESOURCES = 2
};

typedef struct slipway_scheduler_vtbl slipway_scheduler_vtbl;

/* FROZEN; an implementation embeds it as its first member. */
typedef struct slipway_scheduler {
  const slipway_scheduler_vtbl* vtbl;
} slipway_scheduler;

struct slipway_scheduler_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] Ends the object. Requests, iterators and subscriptions were freed before. */
  void (*destroy)(slipway_scheduler* self);

  /* [required] The run options, in the order in which people should see them. */
  slipway_status (*run_opts)(slipway_scheduler* self, slipway_on_run_opt on_opt, void* ctx,
                             slipway_error* err);

  /* [required] Builds the request and touches nothing: no file, no process, no write over a
   * network. Findings come while it runs. `*out` is freed by request_free. */
  slipway_status (*submit_dryrun)(slipway_scheduler* self, const slipway_call* call,
                                  const slipway_app_def* app, const slipway_cfg* cfg,
                                  slipway_on_finding on_finding, void* ctx, slipway_request** out,
                                  slipway_error* err);

  /* [required] The request for a person or as one JSON object, in one or more pieces
   * (SLIPWAY_PRINT_*). */
  slipway_status (*request_print)(slipway_scheduler* self, const slipway_request* request,
                                  int32_t format, slipway_on_str on_text, void* ctx,
                                  slipway_error* err);

  /* [optional] Applies a JSON merge patch (RFC 7386) to the request's JSON form and adopts the
   * result. SLIPWAY_E_INVALID when the result is not a request; the request is then as it was
   * before. */
  slipway_status (*request_patch)(slipway_scheduler* self, slipway_request* request,
                                  slipway_str patch_json, slipway_error* err);

  /* [required] */
  void (*request_free)(slipway_scheduler* self, slipway_request* request);

  /* [required] Submits. Calls `on_app_id` once. On error nothing was submitted and nothing is left
   * behind. A request is scheduled at most once. */
  slipway_status (*schedule)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_request* request, const slipway_schedule_opts* opts,
                             slipway_on_str on_app_id, void* ctx, slipway_error* err);

  /* [required] Calls back once with what `want` (SLIPWAY_WANT_*) asks for; no call back: no such
   * app. */
  slipway_status (*describe)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             uint32_t want, uint32_t reserved0,
                             slipway_on_description on_description, void* ctx, slipway_error* err);

  /* [optional] `*out` = whether there is such an app. NULL: the host asks describe. */
  slipway_status (*exists)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                           int32_t* out, slipway_error* err);

  /* [required] Asks the app to end and returns once that is accepted; the host waits for the end.
   * Idempotent: an app that has ended, or is being cancelled, or does not exist is no error. A
   * later call with a shorter grace, or `now`, speeds the end up. */
  slipway_status (*cancel)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                           const slipway_cancel_opts* opts, slipway_error* err);

  /* [optional] Forgets a finished app: its record, and the logs that lie with it.
   * SLIPWAY_E_PRECONDITION while it is not finished. */
  slipway_status (*delete_app)(slipway_scheduler* self, const slipway_call* call,
                               slipway_str app_id, slipway_error* err);

  /* [required] Every app this scheduler knows of this user, of all sessions, newest first where
   * that is known. */
  slipway_status (*list)(slipway_scheduler* self, const slipway_call* call,
                         slipway_on_list_item on_item, void* ctx, slipway_error* err);

  /* [optional] Subscribes to the changes of an app that `what` (SLIPWAY_EVENTS_*) names; NULL: the
   * scheduler has no events, and the host polls it. SLIPWAY_E_NOT_FOUND when there is no such app.
   * More changes than asked for are no error, but cost the host a look each. */
  slipway_status (*events_open)(slipway_scheduler* self, const slipway_call* call,
                                slipway_str app_id, int32_t what, int32_t reserved0,
                                slipway_events** out, slipway_error* err);
  /* A descriptor for poll(), owned by the subscription and the same for its life; readable when the
   * app's description may have changed. */
  int32_t (*events_fd)(slipway_events* events);
  /* Makes the descriptor unreadable until the next change. SLIPWAY_OK, or SLIPWAY_END: there will
   * be no more. */
  slipway_status (*events_drain)(slipway_events* events, slipway_error* err);
  void (*events_close)(slipway_events* events);

  /* [optional] Opens the logs of an app. SLIPWAY_E_NOT_FOUND: no such app, role or replica. */
  slipway_status (*log_open)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_log_query* query, slipway_log_iter** out,
                             slipway_error* err);
  /* Delivers what there is, waiting at most `timeout_ms` (-1: as long as it takes). SLIPWAY_OK:
   * some chunks were delivered; SLIPWAY_AGAIN: the time passed; SLIPWAY_END: all was delivered;
   * SLIPWAY_E_CANCELLED after log_cancel. */
  slipway_status (*log_next)(slipway_log_iter* iter, int64_t timeout_ms,
                             slipway_on_log_chunk on_chunk, void* ctx, slipway_error* err);
  /* [any thread] A log_next that waits, and every later one, returns soon. */
  void (*log_cancel)(slipway_log_iter* iter);
  void (*log_close)(slipway_log_iter* iter);

  /* [optional] An additional interface by its id ("name/1"), NULL when unknown; lives as long as
   * `self`. */
  const void* (*get_extension)(slipway_scheduler* self, slipway_str id);
};

#ifdef __cplusplus
}
#endif

#endif
