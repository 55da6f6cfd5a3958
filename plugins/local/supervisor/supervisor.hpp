// The event loop of one app, from its first replica to its end.
#pragma once

#include <cstdint>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/supervisor/starting/gpu_lease.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Why a supervisor starts.
enum class SupervisorMode {
  kRun,       ///< the app was just submitted
  kTakeOver,  ///< the supervisor died: this process, its warden, inherits the replicas
  kRecover,   ///< supervisor and warden died: replicas are not children of this process
};

/// The input of supervise() and run_warden().
struct SupervisorStart {
  SupervisorMode mode = SupervisorMode::kRun;
  /// For some time neither a supervisor nor a warden lived: `mode` is kRecover, or is kTakeOver
  /// because the supervisor that recovered the app died.
  bool both_died = false;
  int app_dir_fd = -1;               ///< borrowed
  int log_dir_fd = -1;               ///< borrowed; -1: there is none
  const LaunchPlan* plan = nullptr;  ///< borrowed
  GpuLease* gpus = nullptr;          ///< borrowed; of `plan`
  OwnedFd listener;                  ///< `ctl.sock`, listening
  std::uint64_t socket_inode = 0;    ///< of the file `ctl.sock`
  OwnedFd ack;                       ///< see engine/helper_process.hpp; empty after the answer
  OwnedFd owner;                     ///< the socket to the owner; empty: the app has no owner
};

// Exit statuses of supervisor and warden.

/// The app is terminal.
inline constexpr int kSupervisorDone = 0;
/// The supervisor could not begin; the command that started it got the reason, and nothing was
/// started. supervise() throws instead of returning this. A warden that cannot begin its take-over
/// also ends with this, after it has abandoned the app.
inline constexpr int kSupervisorRefused = 3;
/// The supervisor failed while the app ran; a successor is needed.
inline constexpr int kSupervisorFailed = 70;

/// Supervises the app until it is terminal. Returns an exit status. The caller holds the app's
/// lock, has blocked all signals, and has /dev/null as descriptors 0, 1 and 2. Throws Error if it
/// cannot begin, and kTemporary if a shortage prevents the take-over. Then nothing was started, a
/// successor can still take the app over, and run_warden() answers the command.
int supervise(SupervisorStart start);

}  // namespace slipway::local
