/* slipway/abi/signal.h - a scheduler's optional ability "slipway.scheduler.signal/1": it sends
 * signals to the processes of an app that runs.
 *
 * The host finds the ability through slipway_scheduler_vtbl.get_extension. NULL there and
 * SLIPWAY_E_UNIMPLEMENTED from `send` mean the same: this scheduler sends no signals. A plug-in
 * that was built before this header existed answers NULL. */
#ifndef SLIPWAY_ABI_SIGNAL_H
#define SLIPWAY_ABI_SIGNAL_H

#include "slipway/abi/logs.h"
#include "slipway/abi/scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_SCHEDULER_SIGNAL "slipway.scheduler.signal/1"

/* Which replicas get which signal. `signal` is its number as Linux has it on the host's machine,
 * 1 to 64; 0, which would only ask whether a process exists, is not allowed. `targets` name roles
 * and replicas as those of a log query do; no targets means every replica. */
typedef struct slipway_signal_order {
  uint32_t struct_size;
  int32_t signal;
  slipway_str app_id;
  slipway_log_target_array targets;
} slipway_signal_order;

/* What became of the order at one replica. `sent` is nonzero when the signal was handed to the
 * replica's processes or to the engine that runs them; a process may still block or ignore it.
 * `why` says, for people, why it was not sent ("not started yet"); it is absent when it was.
 * `replica` -1 stands for all replicas that the order names, where the scheduler does not know them
 * one by one; `role` is then absent. */
typedef struct slipway_signal_result {
  uint32_t struct_size;
  int32_t replica;
  int32_t sent;
  int32_t reserved0;
  slipway_str role;
  slipway_str why;
} slipway_signal_result;

/* The views in `result` are the plug-in's and valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_signal_result)(void* ctx, const slipway_signal_result* result);

/* The table lives as long as the scheduler that it was asked of. */
typedef struct slipway_scheduler_signal {
  uint32_t struct_size;
  uint32_t reserved0;

  /* [required in this table] Sends the signal to every process of each replica that the order names
   * and that runs now, and to no other process: neither to what the scheduler itself runs beside a
   * replica (a supervisor, a batch script) nor to a later process that got the same number. Starts,
   * restarts and cancels nothing by itself. An end that the signal brings about is the replica's
   * own end, also for SIGKILL and SIGTERM: retries apply, and the app does not become CANCELLED.
   *
   * `order` is valid until the call returns. Calls `on_result` once for each replica that the order
   * names, in any order. Not idempotent: a call that failed may have sent the signal to some
   * replicas, so the host does not repeat it.
   *
   * Thread rule: as every function of the scheduler, so it never overlaps another call on the same
   * object.
   *
   * SLIPWAY_OK: the order was carried out; the results say for which replicas. A replica that waits
   *   or has ended is a result with `sent` 0 and no error, also when it is the only one.
   * SLIPWAY_E_NOT_FOUND: no such app, role or replica; nothing was sent.
   * SLIPWAY_E_PRECONDITION: the app has ended; nothing was sent.
   * SLIPWAY_E_INVALID: the scheduler cannot send this signal; nothing was sent.
   * SLIPWAY_E_UNIMPLEMENTED: it sends no signals, or none to a part of this app; nothing was sent.
   * SLIPWAY_E_DENIED: the app is another user's, who alone may do it.
   * SLIPWAY_E_TEMPORARY: the engine or the supervisor does not answer; the message says whether the
   *   signal may have been sent. */
  slipway_status (*send)(slipway_scheduler* self, const slipway_call* call,
                         const slipway_signal_order* order, slipway_on_signal_result on_result,
                         void* ctx, slipway_error* err);
} slipway_scheduler_signal;

#ifdef __cplusplus
}
#endif

#endif
