/* slipway/abi/status.h - what a scheduler says about an app: its state, its roles and replicas. */
#ifndef SLIPWAY_ABI_STATUS_H
#define SLIPWAY_ABI_STATUS_H

#include "slipway/abi/app.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times are nanoseconds since 1970-01-01 UTC; this value means "not yet" or "not known". */
#define SLIPWAY_TIME_UNSET INT64_MIN

/* One attempt of a replica. Fields as in slipway_replica_status; `reason` also `restarted`: it was
 * ended because its role or the app was started again. */
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
SLIPWAY_DEFINE_ARRAY(slipway_attempt_status_array, slipway_attempt_status);

/* One replica. `exit_code` counts only where `has_exit_code` is nonzero (not while it runs, not
 * when a signal ended it and not when nobody saw its end); for spawn_failed it is a shell's: 127
 * for a program that is not there, 126 for one that cannot be run. `signal` is 0 when none ended
 * it. `reason` is absent until the end, then one of exit, signal, oom, timeout, cancelled, lost,
 * spawn_failed, dependency. `pid` is 0 where there is none to tell. `attempts` are those that ended
 * and were followed by another, the first first. `details_json` is absent or an object whose
 * members `status --json` shows beside the others, such as `ports` or `gpus`.
 *
 * `count` is how many replicas this entry stands for, those from `id` on; 0 means 1. More than one
 * only where SLIPWAY_WANT_MERGED was asked for: they are equal in everything that is told of them,
 * of which pid, hostname, times, attempts and all details but `ready` may be left out. */
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
  slipway_str structured_error_json; /* what the replica left in its error file, or absent */
  slipway_attempt_status_array attempts;
  slipway_str details_json;
} slipway_replica_status;
SLIPWAY_DEFINE_ARRAY(slipway_replica_status_array, slipway_replica_status);

typedef struct slipway_role_status {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role;
  slipway_replica_status_array replicas;
} slipway_role_status;
SLIPWAY_DEFINE_ARRAY(slipway_role_status_array, slipway_role_status);

/* One app. `app` is the app as it was submitted, filled only when SLIPWAY_WANT_APP_DEF was asked
 * for and the scheduler kept it, else NULL. */
typedef struct slipway_description {
  uint32_t struct_size;
  int32_t state;
  int32_t num_restarts;
  int32_t reserved0;
  slipway_str app_id;
  slipway_str name;
  slipway_str
      msg; /* for people: why it waits, why it failed; absent when there is nothing to say */
  slipway_str structured_error_json; /* of the replica that failed first, or absent */
  slipway_str ui_url;                /* absent when there is none */
  int64_t submitted_at_ns;
  int64_t started_at_ns;
  int64_t finished_at_ns;
  slipway_role_status_array roles;
  const slipway_app_def* app;
} slipway_description;

/* What a description is to hold besides the app's own state. SLIPWAY_WANT_MERGED, beside
 * SLIPWAY_WANT_REPLICAS: in roles of more than SLIPWAY_MERGE_ABOVE replicas, those next to each
 * other that differ in pid and times alone may come as one entry; a scheduler that does not know
 * the flag tells each. For people who look at apps of many replicas. */
enum { SLIPWAY_WANT_REPLICAS = 1, SLIPWAY_WANT_APP_DEF = 2, SLIPWAY_WANT_MERGED = 4 };
#define SLIPWAY_MERGE_ABOVE 8

typedef slipway_status (*slipway_on_description)(void* ctx, const slipway_description* description);

/* One line of a list. `session` may be absent where the scheduler knows no sessions. */
typedef struct slipway_list_item {
  uint32_t struct_size;
  int32_t state;
  slipway_str app_id;
  slipway_str name;
  slipway_str session;
  int64_t submitted_at_ns;
} slipway_list_item;

typedef slipway_status (*slipway_on_list_item)(void* ctx, const slipway_list_item* item);

#ifdef __cplusplus
}
#endif

#endif
