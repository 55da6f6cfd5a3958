/* Reads the logs of an app: one line for each replica. */
#ifndef KEPT_LOGS_H
#define KEPT_LOGS_H

#include "record.h"
#include "slipway/abi/logs.h"

/* The functions log_* of the scheduler. */
slipway_status open_logs(const slipway_host* host, const path* directory,
                         const slipway_log_query* query, slipway_log_iter** out,
                         slipway_error* err);
slipway_status next_log(slipway_log_iter* iter, int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error* err);
void cancel_log(slipway_log_iter* iter);
void close_log(slipway_log_iter* iter);

#endif
