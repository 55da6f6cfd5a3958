/* slipway/abi/logs.h - the logs of an app. A scheduler delivers bytes with the replica and stream
 * that wrote them. The host does the rest, such as regular expressions, tails and prefixes. */
#ifndef SLIPWAY_ABI_LOGS_H
#define SLIPWAY_ABI_LOGS_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Streams of a replica. COMBINED has stdout and stderr, in the order of writing if the scheduler
 * does not keep them apart (slipway_log_chunk). */
enum { SLIPWAY_STREAM_COMBINED = 0, SLIPWAY_STREAM_STDOUT = 1, SLIPWAY_STREAM_STDERR = 2 };

/* Replicas of the role `role`. */
typedef struct slipway_log_target {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str role;
  const int32_t* replicas; /* their numbers; may be NULL if the count is 0 */
  size_t replica_count;    /* 0: all replicas of the role */
} slipway_log_target;
#define SLIPWAY_LOG_TARGET_1_0_SIZE 40
SLIPWAY_DEFINE_ARRAY(slipway_log_target_array, slipway_log_target);

/* A selection of the logs of the app `app_id`. Times are nanoseconds since 1970-01-01 UTC. log_open
 * returns SLIPWAY_E_UNIMPLEMENTED for `since_ns` or `until_ns` if the scheduler keeps no times, and
 * for a stream that it does not have. A query also selects replicas that have not started or have
 * written nothing: with `follow`, the iterator delivers their later output. */
typedef struct slipway_log_query {
  uint32_t struct_size;
  /* 0: the iterator ends after the existing output. Nonzero: it ends when the app has ended and it
   * has delivered all output. */
  int32_t follow;
  int32_t stream; /* SLIPWAY_STREAM_* */
  int32_t reserved0;
  slipway_str app_id;
  slipway_log_target_array targets; /* empty: every role */
  int64_t since_ns;                 /* only output written from this time on; 0: no limit */
  int64_t until_ns;                 /* only output written until this time; 0: no limit */
} slipway_log_query;
#define SLIPWAY_LOG_QUERY_1_0_SIZE 72

/* Consecutive bytes of one stream of one replica, unchanged, with all line ends; usually several
 * lines. A chunk ends at the end of a line, except at the end of the log, in lines that are longer
 * than the scheduler's buffer, and with `follow`: a follower should get a line that does not end
 * soon, such as a progress bar, within 100 ms, and the rest of the line in later chunks. Chunks of
 * one replica and stream arrive in the order of writing; others have no order. A scheduler that
 * keeps stdout and stderr apart may answer a query for COMBINED with chunks of both.
 *
 * Output of the app that no replica wrote, such as that of a launcher, a driver, a batch script or
 * an image download, has `replica` -1 and no `role`. A query with targets does not select it. */
typedef struct slipway_log_chunk {
  uint32_t struct_size;
  int32_t replica; /* its number in the role, or -1 */
  int32_t stream;  /* SLIPWAY_STREAM_*; COMBINED if the bytes may be of both */
  int32_t reserved0;
  slipway_str role;  /* its name, or absent */
  int64_t time_ns;   /* time of writing, or SLIPWAY_TIME_UNSET if it is unknown */
  slipway_str bytes; /* not empty; need not be UTF-8 */
} slipway_log_chunk;
#define SLIPWAY_LOG_CHUNK_1_0_SIZE 56

/* Receives a chunk, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_log_chunk)(void* ctx, const slipway_log_chunk* chunk);

/* FROZEN, opaque, owned by the plug-in: a reader of logs. */
typedef struct slipway_log_iter slipway_log_iter;

#ifdef __cplusplus
}
#endif

#endif
