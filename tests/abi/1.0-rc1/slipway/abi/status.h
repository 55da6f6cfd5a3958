/* slipway/abi/status.h - the status of an app, its roles and its replicas. */
#ifndef SLIPWAY_ABI_STATUS_H
#define SLIPWAY_ABI_STATUS_H

#include "slipway/abi/app.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times are nanoseconds since 1970-01-01 UTC. This value means "not yet" or "unknown". */
#define SLIPWAY_TIME_UNSET 0

/* One finished attempt of a replica. The fields have the meaning of those in
 * slipway_replica_status; `pid` to `max_rss_bytes` are those of the attempt. `reason` may also be
 * `restarted`: the scheduler ended the attempt to restart the role or app. */
typedef struct slipway_attempt_status {
  uint32_t struct_size;
  int32_t state;
  int32_t has_exit_code;
  int32_t exit_code;
  int32_t signal;
  int32_t reserved0;
  int64_t pid;
  int64_t started_at_ns;
  int64_t finished_at_ns;
  int64_t cpu_time_ns;
  int64_t max_rss_bytes;
  slipway_str reason;
} slipway_attempt_status;
#define SLIPWAY_ATTEMPT_STATUS_1_0_SIZE 80
SLIPWAY_DEFINE_ARRAY(slipway_attempt_status_array, slipway_attempt_status);

/* One replica. `exit_code` is valid only if `has_exit_code` is nonzero: not while the replica runs,
 * not after a signal ended it, and not if its end was lost. For spawn_failed it is that of a shell:
 * 127 for a missing program, 126 for one that cannot be executed.
 *
 * `reason` says why the replica ended. It is absent until then, and afterwards one of
 *
 *   exit          the program returned `exit_code`, which may be 0
 *   signal        `signal` ended it
 *   oom           it used more memory than it may
 *   timeout       it ran longer than it may
 *   not_ready     its readiness probe did not pass in time
 *   cancelled     the scheduler stopped it: the app was cancelled, or failed for another reason
 *   lost          nothing is known about its end
 *   spawn_failed  the program could not be started
 *   dependency    a role that it waited for can no longer start, succeed or become ready
 *   work_done     it belongs to a service, stopped when all roles that are no services had ended
 *
 * or a word that the scheduler defines: hosts show reasons that they do not know.
 *
 * A scheduler sets `cpu_time_ns` and `max_rss_bytes` at the end of the attempt at the latest. The
 * engine decides which processes they count. With POSIX getrusage(), these are the program and the
 * children that it waited for; the memory is that of the largest one.
 *
 * `count` is the number of replicas that this entry stands for, those from `id` on; 0 means 1. It
 * may be greater than 1 only with SLIPWAY_WANT_MERGED. These replicas are equal in all fields of
 * the entry. Such an entry may omit pid, hostname, times, cpu_time_ns, max_rss_bytes, attempts, and
 * all members of details_json except `ready` and `service`.
 */
typedef struct slipway_replica_status {
  uint32_t struct_size;
  int32_t id;             /* number of the replica in its role, from 0 */
  int32_t state;          /* SLIPWAY_STATE_* */
  int32_t has_exit_code;  /* nonzero: `exit_code` is valid */
  int32_t exit_code;      /* exit status of the program, 0 to 255 */
  int32_t signal;         /* number of the signal that ended it, or 0 */
  int32_t restarts;       /* attempts that have ended and were followed by another */
  int32_t count;          /* number of replicas that this entry stands for; 0 means 1 */
  int64_t pid;            /* process id on its machine, or 0 if it is unknown */
  int64_t started_at_ns;  /* start of the current or last attempt */
  int64_t finished_at_ns; /* its end; SLIPWAY_TIME_UNSET while it runs */
  int64_t cpu_time_ns;    /* CPU time of the attempt, in user and system mode; 0: unknown */
  int64_t max_rss_bytes;  /* largest resident memory of the attempt; 0: unknown */
  slipway_str hostname;   /* the machine that it runs on, or absent */
  slipway_str reason;
  slipway_str structured_error_json;     /* content of TORCHELASTIC_ERROR_FILE, or absent */
  slipway_attempt_status_array attempts; /* all attempts but the current or last one, in order */
  slipway_str details_json; /* a JSON object whose members `status --json` adds, such as `ports` */
} slipway_replica_status;
#define SLIPWAY_REPLICA_STATUS_1_0_SIZE 160
SLIPWAY_DEFINE_ARRAY(slipway_replica_status_array, slipway_replica_status);

/* The replicas of one role, in the order of their ids. */
typedef struct slipway_role_status {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role; /* its name */
  slipway_replica_status_array replicas;
} slipway_role_status;
#define SLIPWAY_ROLE_STATUS_1_0_SIZE 48
SLIPWAY_DEFINE_ARRAY(slipway_role_status_array, slipway_role_status);

/* One app. `state` and `app_id` are set with every `want`. A comment at a field says if `want` must
 * select the field. The other fields are set if the scheduler knows them: absent strings,
 * SLIPWAY_TIME_UNSET and, for num_restarts, -1 mean unknown. */
typedef struct slipway_description {
  uint32_t struct_size;
  int32_t state;        /* SLIPWAY_STATE_* */
  int32_t num_restarts; /* times that the whole app was started again; -1: unknown */
  int32_t reserved0;
  slipway_str app_id;
  slipway_str name; /* the app's name as it was submitted */
  slipway_str msg;  /* for users: the reason why the app waits or failed; may be absent */
  slipway_str structured_error_json; /* that of the replica that failed first, or absent */
  slipway_str ui_url;                /* page of the app for browsers, or absent */
  int64_t submitted_at_ns;           /* time of `schedule` */
  int64_t started_at_ns;             /* start of the first replica */
  int64_t finished_at_ns;            /* set only if the app has ended; see SLIPWAY_STATE_UNKNOWN */
  slipway_role_status_array roles;   /* with SLIPWAY_WANT_REPLICAS: all roles, in the app's order */
  const slipway_app_def* app;        /* with SLIPWAY_WANT_APP_DEF: the app as submitted; or NULL */
  slipway_kv_array metadata; /* facts about the app for users and programs, such as its queue */
} slipway_description;
#define SLIPWAY_DESCRIPTION_1_0_SIZE 176

/* The parts of a description besides the app's state: the status of the replicas, and the app as it
 * was submitted, if the scheduler has kept it. SLIPWAY_WANT_MERGED, together with
 * SLIPWAY_WANT_REPLICAS, allows the scheduler to merge entries in roles of more than
 * SLIPWAY_MERGE_ABOVE replicas: adjacent replicas that differ only in what such an entry may omit
 * (slipway_replica_status) may be one entry. A scheduler may ignore this flag. It shortens the
 * output for apps with many replicas. */
enum { SLIPWAY_WANT_REPLICAS = 1, SLIPWAY_WANT_APP_DEF = 2, SLIPWAY_WANT_MERGED = 4 };
#define SLIPWAY_MERGE_ABOVE 8

/* Receives a description, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_description)(void* ctx, const slipway_description* description);

/* Options of `describe`. */
typedef struct slipway_describe_opts {
  uint32_t struct_size;
  uint32_t want; /* SLIPWAY_WANT_*; 0: none of them; unknown bits: ignored (R8) */
} slipway_describe_opts;
#define SLIPWAY_DESCRIBE_OPTS_1_0_SIZE 8

/* Bits of slipway_list_query.flags. */
enum {
  /* Only apps that have not ended are needed. A scheduler omits the others if finding them takes
   * longer. It must deliver every app that has not ended. */
  SLIPWAY_LIST_ACTIVE = 1,
  /* The caller asks several schedulers. A scheduler that the user has not used on this machine may
   * return SLIPWAY_E_PRECONDITION instead of a long search for its engine. */
  SLIPWAY_LIST_ONE_OF_SEVERAL = 2
};

/* The apps that a caller needs. Each field and each flag above is a hint, which saves time: a
 * scheduler may ignore it and deliver more apps, because the host drops those that the query does
 * not select. A scheduler that applies `limit` applies the other fields first. */
typedef struct slipway_list_query {
  uint32_t struct_size;
  uint32_t flags;   /* SLIPWAY_LIST_*; unknown bits: see SLIPWAY_MUST_UNDERSTAND */
  int64_t since_ns; /* only apps that were submitted at this time or later; 0: at any time */
  int64_t limit;    /* at most this number of apps, the newest ones; 0: all */
} slipway_list_query;
#define SLIPWAY_LIST_QUERY_1_0_SIZE 24

/* One app of a list. */
typedef struct slipway_list_item {
  uint32_t struct_size;
  int32_t state;           /* SLIPWAY_STATE_* */
  slipway_str app_id;      /* never absent */
  slipway_str name;        /* the app's name, or absent */
  slipway_str session;     /* absent: that of the scheduler object */
  int64_t submitted_at_ns; /* or SLIPWAY_TIME_UNSET */
} slipway_list_item;
#define SLIPWAY_LIST_ITEM_1_0_SIZE 64

/* Receives an app, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_list_item)(void* ctx, const slipway_list_item* item);

#ifdef __cplusplus
}
#endif

#endif
