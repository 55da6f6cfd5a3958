/* slipway/abi/scheduler.h - the interface "slipway.scheduler/1".
 *
 * A scheduler converts an app to a request (submit_dryrun) and submits the request (schedule).
 * Later calls for the app may come from any process, so the scheduler must not keep its state only
 * in memory.
 *
 * An app id has 1 to 255 bytes of UTF-8 without '/' and control characters, and does not begin with
 * '.', so that it can name a file. A host passes no other text as an id, but the conformance kit
 * does, as that of an unknown app. An id is unique within the scheduler and session:
 * `scheduler://session/id` names one app. The ids that a scheduler object gets and delivers are
 * those of the session that it was created with, except in `list`.
 *
 * For each function: the inputs are valid until it returns, a callback receives the results (R4),
 * and a negative return value is an error whose reason is set with slipway_host.error_set.
 * [required] or [optional] says whether a scheduler must implement it; the host checks both kinds
 * (R6). For an optional function, NULL and SLIPWAY_E_UNIMPLEMENTED mean the same. Of the pointers
 * only `ctx`, `err` and the `cancel` of a call may be NULL. An unknown app is an error only for
 * log_open and events_open.
 *
 * Besides the outcomes that a function names, each may return any error of base.h, among them
 * SLIPWAY_E_CANCELLED and SLIPWAY_E_TIMEOUT when slipway_call says so, SLIPWAY_E_UNAVAILABLE if the
 * engine cannot be reached, and what a callback returned. `*out` is set only with SLIPWAY_OK.
 *
 * Threads: the rules of base.h. Calls on one scheduler never overlap. Each iterator of logs and
 * each subscription is an object of its own, whose calls may overlap with those of the scheduler.
 *
 * Order of the calls: create; then any function, in any order and any number of times. Only the
 * object that made a request uses it. After request_free, log_close or events_close, no call refers
 * to the freed object. The host frees all of these before `destroy`.
 *
 * Macros: the scheduler replaces them in the arguments of a role, in the values of its environment
 * and in the strings of its metadata, and nowhere else, once for each replica:
 *
 *   ${app_id}         the app's id
 *   ${replica_id}     the number of the replica in its role, from 0
 *   ${img_root}       the directory of the image in which the replica runs; empty if there is none
 *   ${rank0_env}      the NAME of a variable that each replica has, with the host name of replica 0
 *                     of the first role; the scheduler chooses the variable
 *   ${base_img_root}  the word DEPRECATED, as in TorchX
 *
 * `$app_id` is the same as `${app_id}`, and `$$` stands for one `$`. Any other `$` stays as it is.
 * The scheduler does not search the text that replaces a macro for further macros. The host itself
 * uses macros in variables that it adds to the environment of roles, such as TORCHX_JOB_ID. In C++
 * slipway/macros.hpp replaces macros.
 *
 * Replicas: a scheduler starts `entrypoint` with `args` directly and not through a shell, with the
 * variables of `env` added to the environment that the engine gives its programs, and with
 * /dev/null as stdin. An entrypoint without '/' is looked up in the PATH of that environment. The
 * working directory is that of the image, or, without an image, that of the process that called
 * submit_dryrun, unless the engine has a rule of its own or the role says `cwd`. The scheduler
 * keeps stdout and stderr for log_open. It should also set SLIPWAY_APP_ID, SLIPWAY_ROLE,
 * SLIPWAY_REPLICA_ID and SLIPWAY_ATTEMPT (from 1), unless the role does, SLIPWAY_PORT_<NAME> (in
 * upper case) for each port of the role, and TORCHELASTIC_ERROR_FILE: the path of a file into which
 * a program may write why it failed, as JSON.
 *
 * End of an app: the app is SUCCEEDED when all replicas are, CANCELLED after `cancel` or the end of
 * its owner, and FAILED after a failure that no retry follows. The replicas of
 * a `service` (sdk/docs/role_keys.md) do not count, nor do failures that `min_replicas` allows. The
 * scheduler decides whether the other replicas continue after a failure. After the end of the app,
 * no process may remain in the process group of a replica, and none of the app's other processes
 * should. */
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

/* Kinds of findings. */
enum {
  SLIPWAY_FINDING_IGNORED = 0, /* the scheduler ignores the field */
  SLIPWAY_FINDING_REFUSED = 1  /* `schedule` will fail because of the field */
};
/* A field of the app that the scheduler ignores or refuses. The host reports it to the user. */
typedef struct slipway_finding {
  uint32_t struct_size;
  int32_t kind;      /* SLIPWAY_FINDING_* */
  slipway_str role;  /* absent for a field of the app */
  slipway_str field; /* its name in app files: "mounts", "resource.gpu" */
  slipway_str why;   /* the reason, for users */
} slipway_finding;
#define SLIPWAY_FINDING_1_0_SIZE 56
/* Receives a finding, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_finding)(void* ctx, const slipway_finding* finding);

/* A field of apps that a scheduler acts on. Schedulers always act on the entrypoint, arguments,
 * environment and number of replicas of a role, and report only other fields, by these names:
 *
 *   image, base_image, min_replicas, max_retries, port_map, metadata, deployment_preference,
 *   retry_policy.APPLICATION, retry_policy.REPLICA, retry_policy.ROLE,
 *   resource.cpu, resource.gpu, resource.memMB, resource.capabilities, resource.devices,
 *   resource.tags, mounts.bind, mounts.volume, mounts.device: fields of a role;
 *   resource.cpu.fraction: the scheduler takes parts of a CPU and does not round up;
 *   macros: the scheduler replaces macros in arguments, environment and metadata;
 *   app.metadata: the metadata of the app;
 *   service, cwd, timeout_s, grace_s, retry_on, backoff, ready, depends_on: keys of a role that the
 *   host has checked; a scheduler finds each as "slipway.KEY" in the metadata of the role, with the
 *   value that sdk/docs/role_keys.md describes.
 *
 * A scheduler acts on a field that only carries information, such as app.metadata, if it returns
 * the field with the app (SLIPWAY_WANT_APP_DEF). */
typedef struct slipway_app_field {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name; /* one of the names above */
  /* Absent if the scheduler acts on the field with the run options of the call. Otherwise says, for
   * users, when it would: "with -c gpus=lease". */
  slipway_str condition;
} slipway_app_field;
#define SLIPWAY_APP_FIELD_1_0_SIZE 40
/* Receives a field, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_app_field)(void* ctx, const slipway_app_field* field);

/* Formats of request_print: a text for users, or one JSON object. */
enum { SLIPWAY_PRINT_TEXT = 0, SLIPWAY_PRINT_JSON = 1 };

/* Bits of slipway_schedule_opts.flags. */
enum {
  /* The process that calls `schedule` owns the app. The scheduler must cancel the app when
   * `owner_fd` reports end-of-file or hang-up (POLLHUP of poll(), or POLLIN with a read of 0
   * bytes), which happens however that process ends. Only a scheduler with
   * SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT gets this flag; apps of other schedulers have no owner.
   */
  SLIPWAY_SCHEDULE_FOREGROUND = 1
};
/* The byte 'R', which an owner writes to the other end of the socket `owner_fd` to give its app up.
 * A scheduler that lets apps continue without their owner answers with the same byte, and then lets
 * the app continue when the owner ends. Without an answer the owner still owns the app. */
enum { SLIPWAY_OWNER_RELEASE = 82 };
/* Options of `schedule`. `owner_fd` is borrowed: duplicate it with O_CLOEXEC, or let a child
 * process inherit it, and do not pass it to replicas. It is one end of a stream socket. Never write
 * to it except to answer SLIPWAY_OWNER_RELEASE, and read from it only when poll() reports that byte
 * or the end-of-file. */
typedef struct slipway_schedule_opts {
  uint32_t struct_size;
  uint32_t flags;   /* SLIPWAY_SCHEDULE_*; unknown bits: see SLIPWAY_MUST_UNDERSTAND */
  int32_t owner_fd; /* with FOREGROUND a descriptor for poll(), otherwise -1 */
  int32_t reserved0;
} slipway_schedule_opts;
#define SLIPWAY_SCHEDULE_OPTS_1_0_SIZE 16

/* An app that `schedule` has submitted. */
typedef struct slipway_submission {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str app_id; /* never absent; see the rule for ids at the top of this file */
} slipway_submission;
#define SLIPWAY_SUBMISSION_1_0_SIZE 24
/* Receives a submission, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_submission)(void* ctx, const slipway_submission* submission);

/* Options of `cancel`. The grace time is what replicas get between SIGTERM and SIGKILL. A
 * scheduler whose engine has a fixed grace time uses that one; if `grace_ms` is not -1, it may
 * return SLIPWAY_E_UNIMPLEMENTED instead. */
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
  /* `slipway run` stays in the foreground by default, because replicas run on this machine. The app
   * is then submitted with SLIPWAY_SCHEDULE_FOREGROUND. Hosts expect quick answers from such a
   * scheduler and call it more often, for example to complete app ids in a shell and to show
   * details in lists. */
  SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT = 1,
  /* Every role must have a resource, because the scheduler allocates what the resource requests.
   * The host checks this before submit_dryrun. */
  SLIPWAY_SCHEDULER_NEEDS_RESOURCES = 2,
  /* The scheduler deletes old apps on its own, without delete_app. So a host that keeps facts about
   * apps asks `exists` from time to time, and forgets apps that are gone. Not for a scheduler that
   * may be asked about the apps of another engine or cluster, which it would not find. */
  SLIPWAY_SCHEDULER_DELETES_OLD_APPS = 4
};

typedef struct slipway_scheduler_vtbl slipway_scheduler_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_scheduler {
  const slipway_scheduler_vtbl* vtbl;
} slipway_scheduler;

struct slipway_scheduler_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* SLIPWAY_SCHEDULER_*; unknown bits: see SLIPWAY_MUST_UNDERSTAND */

  /* [required] Ends the object. The host has already freed its requests, iterators and
   * subscriptions. Apps continue. */
  void (*destroy)(slipway_scheduler* self);

  /* [required] Calls `on_opt` for each run option, in the order for users; not at all if there are
   * none. Should not contact an engine: shell completion calls it. */
  slipway_status (*run_opts)(slipway_scheduler* self, const slipway_call* call,
                             slipway_on_run_opt on_opt, void* ctx, slipway_error* err);

  /* [optional] Calls `on_field` for each field of apps that the scheduler acts on with the run
   * options `cfg`, which contain defaults like those of submit_dryrun. The host warns users of
   * every other field that an app sets, unless submit_dryrun has a finding about it. If NULL, only
   * findings are reported. */
  slipway_status (*app_fields)(slipway_scheduler* self, const slipway_call* call,
                               const slipway_cfg* cfg, slipway_on_app_field on_field, void* ctx,
                               slipway_error* err);

  /* [required] Makes the request for an app without side effects: it leaves no file or process
   * behind and changes nothing over a network. Reading is allowed, also with a program that ends
   * before the call does. Calls `on_finding` for each finding. Sets `*out`, which the host frees
   * with request_free, and which keeps copies of what it needs of `app` and `cfg`. Most requests
   * are only printed, or dropped, and never scheduled. The app has no id yet, so macros stay as
   * they are in the request.
   * SLIPWAY_E_INVALID: the scheduler cannot run this app.
   * SLIPWAY_E_UNIMPLEMENTED: the app has a value of a later version, such as a new kind of mount
   * (R8). */
  slipway_status (*submit_dryrun)(slipway_scheduler* self, const slipway_call* call,
                                  const slipway_app_def* app, const slipway_cfg* cfg,
                                  slipway_on_finding on_finding, void* ctx, slipway_request** out,
                                  slipway_error* err);

  /* [required] Calls `on_text` for the consecutive pieces of the request in `format`
   * (SLIPWAY_PRINT_*): what the engine would get, as a text that ends with a line end, or as one
   * JSON object. A piece may end within a character. Does not change the request and does not wait.
   * SLIPWAY_E_UNIMPLEMENTED: the plug-in does not know the format. */
  slipway_status (*request_print)(slipway_scheduler* self, const slipway_request* request,
                                  int32_t format, slipway_on_str on_text, void* ctx,
                                  slipway_error* err);

  /* [optional] Applies a JSON merge patch (RFC 7386) to the JSON form of the request and replaces
   * the request with the result. SLIPWAY_E_INVALID: the result is not a valid request; the request
   * is unchanged. */
  slipway_status (*request_patch)(slipway_scheduler* self, slipway_request* request,
                                  slipway_str patch_json, slipway_error* err);

  /* [required] Frees a request of submit_dryrun, whether or not it was scheduled. */
  void (*request_free)(slipway_scheduler* self, slipway_request* request);

  /* [required] Submits the request and calls `on_submission` once, as soon as the app exists: from
   * then on `describe`, `cancel`, `log_open` and `list` of every process know the app, and a
   * cancellation takes effect even if no replica has started. Returns without waiting for replicas.
   * The host schedules a request at most once. The calling process may end in any way at any time
   * after the callback; the app continues, unless SLIPWAY_SCHEDULE_FOREGROUND makes the scheduler
   * cancel it. After an error, nothing is submitted and no file or process remains, with two
   * exceptions:
   * SLIPWAY_E_OUTCOME_UNKNOWN: the request may have been submitted, because the engine's answer was
   *   lost. The message says how users find the app. The host does not repeat the call.
   * `on_submission` returned a negative status: the app exists. The scheduler leaves it unchanged
   *   and returns that status. */
  slipway_status (*schedule)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_request* request, const slipway_schedule_opts* opts,
                             slipway_on_submission on_submission, void* ctx, slipway_error* err);

  /* [required] Calls `on_description` once with the parts of the description that `opts->want`
   * selects. Does not change the app, but may repair the scheduler's record of it, and complete a
   * `cancel` that the engine had not answered. Is called often: several times a second while a
   * command follows the app, if the scheduler has no events. For an unknown app, returns SLIPWAY_OK
   * without a callback. SLIPWAY_E_NOT_FOUND: the app's record was deleted, and the message says
   * when and why. SLIPWAY_E_TEMPORARY: the engine does not answer at the moment. A host that waits
   * for the app calls again; after any other error it stops waiting. */
  slipway_status (*describe)(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             const slipway_describe_opts* opts,
                             slipway_on_description on_description, void* ctx, slipway_error* err);

  /* [optional] Sets `*out` to nonzero if the app exists, otherwise to 0; an app whose record was
   * deleted does not exist. If NULL, the host calls `describe`. */
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

  /* [required] Calls `on_item` for each app of this user that the query selects, finished or not,
   * newest first if the scheduler knows the times. The apps are those of all sessions; a scheduler
   * that can list only one session lists that of the object. */
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
  /* [required with events_open] Returns a descriptor for poll() that is readable (POLLIN) when the
   * app's description may have changed since the last events_drain. It is always the same one, and
   * the subscription owns it: the host neither reads nor closes it. */
  int32_t (*events_fd)(slipway_events* events);
  /* [required with events_open] Makes the descriptor unreadable until the next change; does not
   * wait. Returns SLIPWAY_OK, or SLIPWAY_END if no change will follow. After SLIPWAY_E_TEMPORARY
   * the subscription continues; after any other error, the host only calls events_close. */
  slipway_status (*events_drain)(slipway_events* events, slipway_error* err);
  /* [required with events_open] Ends the subscription and closes its descriptor. */
  void (*events_close)(slipway_events* events);

  /* [optional] Opens the logs of an app and sets `*out`, which the host frees with log_close. The
   * app may be in any state. The iterator keeps copies of what it needs of `query`, and outlives
   * `call`, which limits only log_open. SLIPWAY_E_NOT_FOUND: no such app, role or replica.
   * SLIPWAY_E_UNIMPLEMENTED: the scheduler has no such logs. */
  slipway_status (*log_open)(slipway_scheduler* self, const slipway_call* call,
                             const slipway_log_query* query, slipway_log_iter** out,
                             slipway_error* err);
  /* [required with log_open] Calls `on_chunk` for the available chunks. If none is available, waits
   * for one at most `timeout_ms` milliseconds (-1: without limit, 0: not at all). Never delivers
   * the same bytes twice. SLIPWAY_OK: delivered at least one chunk. SLIPWAY_AGAIN: the time has
   * passed. SLIPWAY_END: everything is delivered; every later call returns it again.
   * SLIPWAY_E_CANCELLED: after log_cancel. SLIPWAY_E_TEMPORARY: reading failed and may succeed
   * later; the iterator has waited a suitable time, at most `timeout_ms`, and the host calls
   * log_next again. After any other error, the host only calls log_close. */
  slipway_status (*log_next)(slipway_log_iter* iter, int64_t timeout_ms,
                             slipway_on_log_chunk on_chunk, void* ctx, slipway_error* err);
  /* [required with log_open] [any thread] Makes a waiting log_next and every later one return
   * SLIPWAY_E_CANCELLED soon. */
  void (*log_cancel)(slipway_log_iter* iter);
  /* [required with log_open] Frees the iterator. The host calls it only when no log_next is
   * running. */
  void (*log_close)(slipway_log_iter* iter);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id. The
   * result is valid until `destroy`. */
  const void* (*get_extension)(slipway_scheduler* self, slipway_str id);
};
#define SLIPWAY_SCHEDULER_VTBL_1_0_SIZE 184

#ifdef __cplusplus
}
#endif

#endif
