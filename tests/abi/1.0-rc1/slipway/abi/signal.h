/* slipway/abi/signal.h - the optional ability "slipway.scheduler.signal/1" of a scheduler: sends
 * signals to the processes of a running app.
 *
 * The host gets the table from slipway_scheduler_vtbl.get_extension. If that returns NULL, as in
 * all plug-ins that are older than this header, or `send` returns SLIPWAY_E_UNIMPLEMENTED, the
 * scheduler sends no signals. */
#ifndef SLIPWAY_ABI_SIGNAL_H
#define SLIPWAY_ABI_SIGNAL_H

#include "slipway/abi/logs.h"
#include "slipway/abi/scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_SCHEDULER_SIGNAL "slipway.scheduler.signal/1"

/* A signal and the replicas of the app `app_id` that get it. */
typedef struct slipway_signal_order {
  uint32_t struct_size;
  int32_t signal; /* number of the signal in Linux on the host's machine, 1 to 64 */
  slipway_str app_id;
  slipway_log_target_array targets; /* as in a log query; empty: every replica */
} slipway_signal_order;
#define SLIPWAY_SIGNAL_ORDER_1_0_SIZE 48

/* The result for one replica. A `replica` of -1 without a `role` stands for all replicas of the
 * order, if the scheduler does not know them individually. */
typedef struct slipway_signal_result {
  uint32_t struct_size;
  int32_t replica; /* its number in the role, or -1 */
  /* Nonzero: the scheduler sent the signal to the replica's processes, or passed it to the engine
   * that runs them. A process may still block or ignore it. */
  int32_t sent;
  int32_t reserved0;
  slipway_str role; /* its name, or absent */
  slipway_str why;  /* the reason, for users, if it was not sent ("not started yet"); or absent */
} slipway_signal_result;
#define SLIPWAY_SIGNAL_RESULT_1_0_SIZE 48

/* Receives one result. The plug-in owns `result`, which is valid until the callback returns (R4).
 * If the callback returns a negative status, send() ends and returns that status. */
typedef slipway_status (*slipway_on_signal_result)(void* ctx, const slipway_signal_result* result);

/* The functions of the ability. Valid as long as the scheduler object. */
typedef struct slipway_scheduler_signal {
  uint32_t struct_size;
  uint32_t reserved0;

  /* [required in this table] Sends the signal to every process of each running replica of the
   * order. Must not send it to other processes: neither to those that the scheduler runs beside a
   * replica (a supervisor, a batch script) nor to a later process with the same number. The call
   * itself starts, restarts and cancels nothing. If the signal ends a replica, even SIGKILL or
   * SIGTERM, the replica has ended by itself: retries apply, and the app does not become CANCELLED.
   *
   * `order` is valid until the call returns. Calls `on_result` once for each replica of the order,
   * in any sequence, or once for all of them (slipway_signal_result). Not idempotent: a failed call
   * may have sent the signal to some replicas, so the host does not repeat it.
   *
   * Thread rule: like the other functions of the scheduler; calls on one object never overlap.
   *
   * SLIPWAY_OK: the results say which replicas got the signal. A replica that waits or has ended
   * has a result with `sent` 0. That is not an error, even if no other replica is selected.
   * SLIPWAY_E_NOT_FOUND: no such app, role or replica; nothing was sent.
   * SLIPWAY_E_PRECONDITION: the app has ended; nothing was sent.
   * SLIPWAY_E_INVALID: the scheduler cannot send this signal; nothing was sent.
   * SLIPWAY_E_UNIMPLEMENTED: the scheduler sends no signals to (a part of) this app; nothing was
   *   sent.
   * SLIPWAY_E_DENIED: the app belongs to another user; nothing was sent.
   * SLIPWAY_E_TEMPORARY: the engine or the supervisor does not answer; the message says whether the
   *   signal may have been sent. */
  slipway_status (*send)(slipway_scheduler* self, const slipway_call* call,
                         const slipway_signal_order* order, slipway_on_signal_result on_result,
                         void* ctx, slipway_error* err);
} slipway_scheduler_signal;
#define SLIPWAY_SCHEDULER_SIGNAL_1_0_SIZE 16

#ifdef __cplusplus
}
#endif

#endif
