// Starting an app.
#pragma once

#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

struct LaunchRequest {
  std::string state_root;   ///< absolute; made (0700) when missing
  LaunchPlan plan;          ///< an empty log_dir is filled in
  std::string spec_json;    ///< kept as it is, for read_spec
  std::string helper_path;  ///< absolute path of slipway-local-supervisor
  /// The supervisor's end of a socket or pipe whose other end the owner keeps open; needed when
  /// plan.owned, ignored otherwise. Borrowed: the caller closes it after the call. When the other
  /// end is closed (by whatever death), the app is cancelled. The other end must be close-on-exec.
  int owner_fd = -1;
  /// Holders of what the app leases until its supervisor and warden have ended
  /// (machine_leases.hpp); both inherit them. Borrowed.
  std::vector<int> lease_fds;
};

/// Records the app and starts its supervisor; returns when that one has acknowledged: from then on
/// the app exists, whatever happens to the caller. Replicas may not run yet, and what goes wrong
/// with them (a missing executable) is reported in the app's state, not here.
///
/// While the returned descriptor is open, the record is not pruned (app_lock.hpp).
///
/// Throws, and leaves nothing behind, neither record nor log directory nor process:
///   kInvalid      the plan breaks a rule of plan.hpp, or state_root/helper_path is not absolute
///   kExists       the app or its log directory exists
///   kCantCreate   the record or the log directory cannot be written (path, reason and hint)
///   kUnavailable  the helper cannot be started or died before it acknowledged
/// Leftovers of earlier launches that died half-way are removed first. Thread safe.
OwnedFd launch_app(const LaunchRequest& request);

}  // namespace slipway::local
