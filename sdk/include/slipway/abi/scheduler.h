/* slipway/abi/scheduler.h - the interface "slipway.scheduler/1".
 *
 * A scheduler converts an app to a request (submit_dryrun) and submits the request (schedule).
 * Later calls for the app may come from any process, so the scheduler must not keep its state only
 * in memory.
 *
 * An app id has 1 to 255 bytes of UTF-8 without '/' and control characters. It is unique within the
 * scheduler and session: `scheduler://session/id` names one app.
 *
 * For each function: the inputs are valid until it returns, a callback receives the results (R4),
 * and a negative return value is an error whose reason is set with slipway_host.error_set.
 * [required] or [optional] says whether a scheduler must implement it; the host checks both kinds
 * (R6). For an optional function, NULL and SLIPWAY_E_UNIMPLEMENTED mean the same. Of the pointers
 * only `ctx`, `err` and the `cancel` of a call may be NULL. A missing app is an error only of
 * log_open and events_open.
 *
 * The scheduler replaces the macros of a role (slipway/macros.hpp) in its arguments, in the values
 * of its environment and in the strings of its metadata, and nowhere else, once for each replica.
 * ${img_root} is the directory of the image in which the replica runs.
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

/* FROZEN, opaque, owned by the plug-in: a request to run an app. */
typedef struct slipway_request slipway_request;

/* FROZEN, opaque, owned by the plug-in: a subscription to the changes of one app. */
typedef struct slipway_events slipway_events;

/* A field of the app that the scheduler ignores or refuses. The host reports it to the user. */
enum {
  SLIPWAY_FINDING_IGNORED = 0, /* the scheduler ignores the field */
  SLIPWAY_FINDING_REFUSED = 1  /* `schedule` will fail because of the field */
};
typedef struct slipway_finding {
  uint32_t struct_size;
  int32_t kind;
  slipway_str role;  /* absent for a field of the app */
  slipway_str field; /* its name in app files: "mounts", "resource.gpu" */
  slipway_str why;   /* the reason, for users */
} slipway_finding;
#define SLIPWAY_FINDING_1_0_SIZE 56
typedef slipway_status (*slipway_on_finding)(void* ctx, const slipway_finding* finding);

/* A field of apps that a scheduler acts on. Schedulers always act on the entrypoint, arguments,
 * environment and number of replicas of a role. The other fields have these names:
 *
 *   image, base_image, min_replicas, max_retries, port_map, metadata, deployment_preference,
 *   retry_policy.APPLICATION, retry_policy.REPLICA, retry_policy.ROLE,
 *   resource.cpu, resource.gpu, resource.memMB, resource.capabilities, resource.devices,
 *   resource.tags, mounts.bind, mounts.volume, mounts.device: fields of a role;
 *   macros: the scheduler replaces macros in arguments, environment and metadata;
 *   app.metadata: the metadata of the app.
 *
 * To act on a field that only carries information, such as app.metadata, is to return it with the
 * app (SLIPWAY_WANT_APP_DEF). */
typedef struct slipway_app_field {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name;
  /* Absent if the scheduler acts on the field with the run options of the call. Otherwise says, for
   * users, when it would: "with -c gpus=lease". */
  slipway_str condition;
} slipway_app_field;
#define SLIPWAY_APP_FIELD_1_0_SIZE 40
typedef slipway_status (*slipway_on_app_field)(void* ctx, const slipway_app_field* field);

/* Formats of request_print: a text for users, or one JSON object. */
enum { SLIPWAY_PRINT_TEXT = 0, SLIPWAY_PRINT_JSON = 1 };

enum {
  /* The process that calls `schedule` owns the app. The scheduler must cancel the app when
   * `owner_fd` reports end-of-file or hang-up, which happens however that process ends. */
  SLIPWAY_SCHEDULE_FOREGROUND = 1
};
/* Options of `schedule`. `flags` are SLIPWAY_SCHEDULE_*. `owner_fd` is -1 if there is none. It is
 * borrowed: duplicate it, and do not pass it to replicas. */
typedef struct slipway_schedule_opts {
  uint32_t struct_size;
  uint32_t flags;
  int32_t owner_fd;
  int32_t reserved0;
} slipway_schedule_opts;
#define SLIPWAY_SCHEDULE_OPTS_1_0_SIZE 16

/* An app that `schedule` has submitted. */
typedef struct slipway_submission {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str app_id;
} slipway_submission;
#define SLIPWAY_SUBMISSION_1_0_SIZE 24
typedef slipway_status (*slipway_on_submission)(void* ctx, const slipway_submission* submission);

/* Options of `cancel`. */
typedef struct slipway_cancel_opts {
  uint32_t struct_size;
  int32_t now;      /* nonzero: kill replicas at once */
  int64_t grace_ms; /* grace time in milliseconds; -1: the one that the app was submitted with */
} slipway_cancel_opts;
#define SLIPWAY_CANCEL_OPTS_1_0_SIZE 16

/* The changes that a subscription reports. For an app with many replicas, most callers only need
 * the state of the app. */
enum {
  SLIPWAY_EVENTS_STATE = 0,   /* changes of the app's state */
  SLIPWAY_EVENTS_REPLICAS = 1 /* also changes of its replicas */
};

/* Options of `events_open`. */
typedef struct slipway_events_opts {
  uint32_t struct_size;
  int32_t what; /* SLIPWAY_EVENTS_* */
} slipway_events_opts;
#define SLIPWAY_EVENTS_OPTS_1_0_SIZE 8

/* Options of `delete_app`: none yet. */
typedef struct slipway_delete_opts {
  uint32_t struct_size;
  uint32_t reserved0;
} slipway_delete_opts;
#define SLIPWAY_DELETE_OPTS_1_0_SIZE 8

/* Bits of slipway_scheduler_vtbl.flags. */
enum {
  /* `slipway run` stays in the foreground by default, because replicas run on this machine. */
  SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT = 1,
  /* Every role must have a resource, because the scheduler allocates by it. The host checks this
   * before submit_dryrun. */
  SLIPWAY_SCHEDULER_NEEDS_RESOURCES = 2
};

typedef struct slipway_scheduler_vtbl slipway_scheduler_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_scheduler {
  const slipway_scheduler_vtbl* vtbl;
} slipway_scheduler;

struct slipway_scheduler_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* SLIPWAY_SCHEDULER_* */

  /* [required] Ends the object. The host has already freed its requests, iterators and
   * subscriptions. */
  void (*destroy)(slipway_scheduler* self);

  /* [required] Calls `on_opt` for each run option, in the order for users. */
  slipway_status (*run_opts)(slipway_scheduler* self, const slipway_call* call,
                             slipway_on_run_opt on_opt, void* ctx, slipway_error* err);

  /* [optional] Calls `on_field` for each field of apps that the scheduler acts on with the run
   * options `cfg`. The host warns users of every other field that an app sets, unless submit_dryrun
   * has a finding about it. If NULL, only findings are reported. */
  slipway_status (*app_fields)(slipway_scheduler* self, const slipway_call* call,
                               const slipway_cfg* cfg, slipway_on_app_field on_field, void* ctx,
                               slipway_error* err);

  /* [required] Makes the request for an app without side effects: it creates no file or process and
   * changes nothing over a network. Calls `on_finding` for each finding. Sets `*out`, which the
   * host frees with request_free. SLIPWAY_E_INVALID: the scheduler cannot run this app. */
  slipway_status (*submit_dryrun)(slipway_scheduler* self, const slipway_call* call,
                                  const slipway_app_def* app, const slipway_cfg* cfg,
                                  slipway_on_finding on_finding, void* ctx, slipway_request** out,
                                  slipway_error* err);

  /* [required] Calls `on_text` for the consecutive pieces of the request in `format`
   * (SLIPWAY_PRINT_*). */
  slipway_status (*request_print)(slipway_scheduler* self, const slipway_request* request,
                                  int32_t format, slipway_on_str on_text, void* ctx,
                                  slipway_error* err);

  /* [optional] Applies a JSON merge patch (RFC 7386) to the JSON form of the request and replaces
   * the request with the result. SLIPWAY_E_INVALID: the result is no valid request; the request is
   * unchanged. */
  slipway_status (*request_patch)(slipway_scheduler* self, slipway_request* request,
                                  slipway_str patch_json, slipway_error* err);

  /* [required] Frees a request of submit_dryrun. */
  void (*request_free)(slipway_scheduler* self, slipway_request* request);

  /* [required] Submits the request and calls `on_submission` once. The host schedules a request at
   * most once. After an error, nothing is submitted and no file or process remains, with two
   * exceptions:
   * SLIPWAY_E_OUTCOME_UNKNOWN: the request may have been submitted, because the engine's answer was
   *   lost. The message says how users find the app. The host does not repeat the call.
   * `on_submission` returned a negative status: the app exists. The scheduler leaves it unchanged
   *   and returns that status. */
  slipway_status (*schedule)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_request* request, const slipway_schedule_opts* opts,
                             slipway_on_submission on_submission, void* ctx, slipway_error* err);

  /* [required] Calls `on_description` once with the parts of the description that `opts->want`
   * selects. For an unknown app, does not call it and returns SLIPWAY_OK. SLIPWAY_E_NOT_FOUND: the
   * app's record was deleted, and the message says when and why.
   * SLIPWAY_E_TEMPORARY: the engine does not answer at the moment; the host may try again. */
  slipway_status (*describe)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             const slipway_describe_opts* opts,
                             slipway_on_description on_description, void* ctx, slipway_error* err);

  /* [optional] Sets `*out` to nonzero if the app exists, otherwise to 0. If NULL, the host calls
   * `describe`. */
  slipway_status (*exists)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                           int32_t* out, slipway_error* err);

  /* [required] Starts the cancellation of the app and returns without waiting for its end; the host
   * waits. Idempotent: an app that has ended, is being cancelled or does not exist is no error. A
   * later call with `now` or a shorter grace time accelerates the end. */
  slipway_status (*cancel)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                           const slipway_cancel_opts* opts, slipway_error* err);

  /* [optional] Deletes the record of a finished app, with the logs in it. An unknown app is no
   * error. SLIPWAY_E_PRECONDITION: the app has not finished. */
  slipway_status (*delete_app)(slipway_scheduler* self, const slipway_call* call,
                               slipway_str app_id, const slipway_delete_opts* opts,
                               slipway_error* err);

  /* [required] Calls `on_item` for each app of this user that the query selects, newest first if
   * the scheduler knows the times. */
  slipway_status (*list)(slipway_scheduler* self, const slipway_call* call,
                         const slipway_list_query* query, slipway_on_list_item on_item, void* ctx,
                         slipway_error* err);

  /* [optional] Subscribes to the changes of an app that `opts->what` selects, and sets `*out`,
   * which the host ends with events_close. A subscription may also report other changes, but each
   * costs the host a call of `describe`. If NULL, the host polls `describe`. SLIPWAY_E_NOT_FOUND:
   * no such app. */
  slipway_status (*events_open)(slipway_scheduler* self, const slipway_call* call,
                                slipway_str app_id, const slipway_events_opts* opts,
                                slipway_events** out, slipway_error* err);
  /* Returns a descriptor for poll() that is readable when the app's description may have changed.
   * It is always the same one, and the subscription owns it. */
  int32_t (*events_fd)(slipway_events* events);
  /* Makes the descriptor unreadable until the next change. Returns SLIPWAY_OK, or SLIPWAY_END if no
   * change will follow. After SLIPWAY_E_TEMPORARY the subscription goes on; after any other error,
   * the host only calls events_close. */
  slipway_status (*events_drain)(slipway_events* events, slipway_error* err);
  /* Ends the subscription. */
  void (*events_close)(slipway_events* events);

  /* [optional] Opens the logs of an app and sets `*out`, which the host frees with log_close.
   * SLIPWAY_E_NOT_FOUND: no such app, role or replica. SLIPWAY_E_UNIMPLEMENTED: the scheduler has
   * no such logs. */
  slipway_status (*log_open)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_log_query* query, slipway_log_iter** out,
                             slipway_error* err);
  /* Calls `on_chunk` for the available chunks. If none is available, waits for one at most
   * `timeout_ms` milliseconds (-1: without limit). SLIPWAY_OK: delivered at least one chunk.
   * SLIPWAY_AGAIN: the time has passed. SLIPWAY_END: delivered everything. SLIPWAY_E_CANCELLED:
   * after log_cancel. SLIPWAY_E_TEMPORARY: reading failed and may succeed later; the iterator has
   * waited a suitable time, at most `timeout_ms`, and the host calls log_next again. After any
   * other error, the host only calls log_close. */
  slipway_status (*log_next)(slipway_log_iter* iter, int64_t timeout_ms,
                             slipway_on_log_chunk on_chunk, void* ctx, slipway_error* err);
  /* [any thread] Makes a waiting log_next and every later one return SLIPWAY_E_CANCELLED soon. */
  void (*log_cancel)(slipway_log_iter* iter);
  /* Frees the iterator. */
  void (*log_close)(slipway_log_iter* iter);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id.
   * Valid until `destroy`. */
  const void* (*get_extension)(slipway_scheduler* self, slipway_str id);
};
#define SLIPWAY_SCHEDULER_VTBL_1_0_SIZE 184

#ifdef __cplusplus
}
#endif

#endif
