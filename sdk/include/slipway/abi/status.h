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
 * slipway_replica_status. `reason` may also be `restarted`: the scheduler ended the attempt to
 * restart the role or app. */
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
  slipway_str reason;
} slipway_attempt_status;
#define SLIPWAY_ATTEMPT_STATUS_1_0_SIZE 64
SLIPWAY_DEFINE_ARRAY(slipway_attempt_status_array, slipway_attempt_status);

/* One replica. `exit_code` is valid only if `has_exit_code` is nonzero: not while the replica runs,
 * not after a signal ended it, and not if its end was lost. For spawn_failed it is that of a shell:
 * 127 for a missing program, 126 for one that cannot be executed. `signal` is the number of the
 * signal that ended the replica, or 0. `reason` is absent until the end, then one of exit, signal,
 * oom, timeout, cancelled, lost, spawn_failed, dependency. `pid` is 0 if it is unknown. `attempts`
 * are all attempts but the current or last one, in order. `details_json` is absent, or a JSON
 * object whose members `status --json` adds to the others, such as `ports` or `gpus`.
 *
 * `count` is the number of replicas that this entry stands for, those from `id` on; 0 means 1. It
 * may be greater than 1 only with SLIPWAY_WANT_MERGED. These replicas are equal in all fields of
 * the entry. Such an entry may omit pid, hostname, times, attempts, and all details except `ready`.
 */
typedef struct slipway_replica_status {
  uint32_t struct_size;
  int32_t id;
  int32_t state;
  int32_t has_exit_code;
  int32_t exit_code;
  int32_t signal;
  int32_t restarts;
  int32_t count;
  int64_t pid;
  int64_t started_at_ns;
  int64_t finished_at_ns;
  slipway_str hostname;
  slipway_str reason;
  slipway_str structured_error_json; /* content of the replica's error file, or absent */
  slipway_attempt_status_array attempts;
  slipway_str details_json;
} slipway_replica_status;
#define SLIPWAY_REPLICA_STATUS_1_0_SIZE 144
SLIPWAY_DEFINE_ARRAY(slipway_replica_status_array, slipway_replica_status);

/* The replicas of one role, in the order of their ids. */
typedef struct slipway_role_status {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role;
  slipway_replica_status_array replicas;
} slipway_role_status;
#define SLIPWAY_ROLE_STATUS_1_0_SIZE 48
SLIPWAY_DEFINE_ARRAY(slipway_role_status_array, slipway_role_status);

/* One app. `app` is the app as it was submitted if SLIPWAY_WANT_APP_DEF selects it and the
 * scheduler has kept it, otherwise NULL. */
typedef struct slipway_description {
  uint32_t struct_size;
  int32_t state;
  int32_t num_restarts;
  int32_t reserved0;
  slipway_str app_id;
  slipway_str name;
  slipway_str msg; /* for users: the reason why the app waits or failed; may be absent */
  slipway_str structured_error_json; /* that of the replica that failed first, or absent */
  slipway_str ui_url;                /* page of the app for browsers, or absent */
  int64_t submitted_at_ns;
  int64_t started_at_ns;
  int64_t finished_at_ns;
  slipway_role_status_array roles;
  const slipway_app_def* app;
  slipway_kv_array metadata; /* facts about the app for users and programs, such as its queue */
} slipway_description;
#define SLIPWAY_DESCRIPTION_1_0_SIZE 176

/* The parts of a description besides the app's state. SLIPWAY_WANT_MERGED, together with
 * SLIPWAY_WANT_REPLICAS, allows the scheduler to merge entries in roles of more than
 * SLIPWAY_MERGE_ABOVE replicas: adjacent replicas that differ only in pid and times may be one
 * entry. A scheduler may ignore this flag. It shortens the output for apps with many replicas. */
enum { SLIPWAY_WANT_REPLICAS = 1, SLIPWAY_WANT_APP_DEF = 2, SLIPWAY_WANT_MERGED = 4 };
#define SLIPWAY_MERGE_ABOVE 8

typedef slipway_status (*slipway_on_description)(void* ctx, const slipway_description* description);

/* Options of `describe`. With `want` 0, the description has at least `app_id` and `state`. */
typedef struct slipway_describe_opts {
  uint32_t struct_size;
  uint32_t want; /* SLIPWAY_WANT_* */
} slipway_describe_opts;
#define SLIPWAY_DESCRIBE_OPTS_1_0_SIZE 8

/* Bits of slipway_list_query.flags. */
enum {
  /* Only apps that have not ended are needed. A scheduler that finds the others more slowly leaves
   * them out; it must deliver every app that has not ended. */
  SLIPWAY_LIST_ACTIVE = 1,
  /* The caller asks several schedulers. One that the user has not used on this host may return
   * SLIPWAY_E_PRECONDITION instead of a long search for its engine. */
  SLIPWAY_LIST_ONE_OF_SEVERAL = 2
};

/* The apps that a caller needs. Each field is a hint, which saves time: a scheduler may ignore it
 * and deliver more apps, because the host selects again. A scheduler that applies `limit` applies
 * the other fields first. */
typedef struct slipway_list_query {
  uint32_t struct_size;
  uint32_t flags;   /* SLIPWAY_LIST_* */
  int64_t since_ns; /* only apps that were submitted at this time or later; 0: at any time */
  int64_t limit;    /* at most this number of apps, the newest ones; 0: all */
} slipway_list_query;
#define SLIPWAY_LIST_QUERY_1_0_SIZE 24

/* One app of a list. `session` is absent if the scheduler does not know it. */
typedef struct slipway_list_item {
  uint32_t struct_size;
  int32_t state;
  slipway_str app_id;
  slipway_str name;
  slipway_str session;
  int64_t submitted_at_ns;
} slipway_list_item;
#define SLIPWAY_LIST_ITEM_1_0_SIZE 64

typedef slipway_status (*slipway_on_list_item)(void* ctx, const slipway_list_item* item);

#ifdef __cplusplus
}
#endif

#endif
