// The event loop of one app, from its first replica to its end.
#pragma once

#include <cstdint>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/supervisor/starting/gpu_lease.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

enum class SupervisorMode {
  kRun,       ///< a fresh app
  kTakeOver,  ///< the supervisor died; its replicas are its warden's children, ours
  kRecover,   ///< both had died: what lives is not our child
};

struct SupervisorStart {
  SupervisorMode mode = SupervisorMode::kRun;
  bool both_died = false;            ///< there was a time when nobody watched the app
  int app_dir_fd = -1;               ///< borrowed
  int log_dir_fd = -1;               ///< borrowed; -1: it is gone
  const LaunchPlan* plan = nullptr;  ///< borrowed: read once, whatever becomes of its file
  GpuLease* gpus = nullptr;          ///< borrowed: of that plan
  OwnedFd listener;                  ///< `ctl.sock`, listening
  std::uint64_t socket_inode = 0;    ///< of the name that `listener` has
  OwnedFd ack;    ///< see engine/helper_process.hpp; empty when the caller has been answered
  OwnedFd owner;  ///< of an owned app; empty when there is none or it is gone
};

/// Exit statuses of supervisor and warden.
inline constexpr int kSupervisorDone = 0;  ///< the app is terminal
inline constexpr int kSupervisorRefused =
    3;  ///< could not begin; the caller was told why, nothing was started
inline constexpr int kSupervisorFailed = 70;  ///< gave up in mid-flight; a successor is needed

/// Supervises the app until it is terminal. The caller holds the app's lock, has all signals
/// blocked and 0, 1, 2 on /dev/null. Throws Error when it cannot begin (nothing was started or
/// changed).
int supervise(SupervisorStart start);

}  // namespace slipway::local
