/* slipway/abi/logs.h - the logs of an app. A scheduler delivers bytes with the replica and stream
 * that wrote them. The host does the rest, such as regular expressions, tails and prefixes. */
#ifndef SLIPWAY_ABI_LOGS_H
#define SLIPWAY_ABI_LOGS_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Streams of a replica. COMBINED has stdout and stderr in the order of writing. */
enum { SLIPWAY_STREAM_COMBINED = 0, SLIPWAY_STREAM_STDOUT = 1, SLIPWAY_STREAM_STDERR = 2 };

/* Replicas of one role. If `replica_count` is 0, all replicas. */
typedef struct slipway_log_target {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role;
  const int32_t* replicas;
  size_t replica_count;
} slipway_log_target;
#define SLIPWAY_LOG_TARGET_1_0_SIZE 40
SLIPWAY_DEFINE_ARRAY(slipway_log_target_array, slipway_log_target);

/* A selection of logs. Without targets, it selects every role. If `follow` is nonzero, the iterator
 * ends when the app has ended and all its output was delivered; otherwise, it ends after the
 * existing output. `since_ns` and `until_ns` limit the time of writing, in nanoseconds since
 * 1970-01-01 UTC, or are SLIPWAY_TIME_UNSET. log_open returns SLIPWAY_E_UNIMPLEMENTED for a time if
 * the scheduler keeps no times, and for a stream that it does not have. */
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
#define SLIPWAY_LOG_QUERY_1_0_SIZE 72

/* Consecutive bytes of one stream of one replica, unchanged. A chunk ends at the end of a line,
 * except at the end of the log and in lines that are longer than the scheduler's buffer. Chunks of
 * one replica and stream arrive in the order of writing; others have no order. `time_ns` is the
 * time of writing, or SLIPWAY_TIME_UNSET if it is unknown.
 *
 * Output of the app that no replica wrote, such as that of a launcher, a driver, a batch script or
 * an image download, has `replica` -1 and no `role`. A query with targets does not select it. */
typedef struct slipway_log_chunk {
  uint32_t struct_size;
  int32_t replica;
  int32_t stream;
  int32_t reserved0;
  slipway_str role;
  int64_t time_ns;
  slipway_str bytes;
} slipway_log_chunk;
#define SLIPWAY_LOG_CHUNK_1_0_SIZE 56

typedef slipway_status (*slipway_on_log_chunk)(void* ctx, const slipway_log_chunk* chunk);

/* FROZEN, opaque, owned by the plug-in: a reader of logs. */
typedef struct slipway_log_iter slipway_log_iter;

#ifdef __cplusplus
}
#endif

#endif
