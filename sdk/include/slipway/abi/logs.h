/* slipway/abi/logs.h - reading the logs of an app. Regular expressions, tails, prefixes and line
 * counting are the host's; a scheduler delivers bytes and says whose they are. */
#ifndef SLIPWAY_ABI_LOGS_H
#define SLIPWAY_ABI_LOGS_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIPWAY_STREAM_COMBINED = 0, SLIPWAY_STREAM_STDOUT = 1, SLIPWAY_STREAM_STDERR = 2 };

/* Some replicas of one role. `replica_count` 0 means all of them. */
typedef struct slipway_log_target {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role;
  const int32_t* replicas;
  size_t replica_count;
} slipway_log_target;
SLIPWAY_DEFINE_ARRAY(slipway_log_target_array, slipway_log_target);

/* What is wanted. No targets means every role. With `follow` the iterator goes on until the app has
 * ended and all that it wrote was delivered; without, it ends with what is there. `since_ns` and
 * `until_ns` bound the time at which bytes were written (SLIPWAY_TIME_UNSET: no bound); a scheduler
 * that keeps no such times refuses a bound with SLIPWAY_E_UNIMPLEMENTED, and a stream that it lacks
 * likewise. */
typedef struct slipway_log_query {
  uint32_t struct_size;
  int32_t follow;
  int32_t stream;
  int32_t reserved0;
  slipway_str app_id;
  slipway_log_target_array targets;
  int64_t since_ns;
  int64_t until_ns;
} slipway_log_query;

/* Consecutive bytes of one stream of one replica, exactly as written. A chunk ends at a line's end
 * unless the line is unfinished at the end of the log or longer than the scheduler cares to hold.
 * `time_ns` is when the bytes were written, SLIPWAY_TIME_UNSET when that is not known. */
typedef struct slipway_log_chunk {
  uint32_t struct_size;
  int32_t replica;
  int32_t stream;
  int32_t reserved0;
  slipway_str role;
  int64_t time_ns;
  slipway_str bytes;
} slipway_log_chunk;

typedef slipway_status (*slipway_on_log_chunk)(void* ctx, const slipway_log_chunk* chunk);

/* FROZEN, opaque, plug-in owned. */
typedef struct slipway_log_iter slipway_log_iter;

#ifdef __cplusplus
}
#endif

#endif
