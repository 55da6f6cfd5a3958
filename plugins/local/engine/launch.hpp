// Starts an app: makes its record and its log directory, and starts its supervisor.
#pragma once

#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The input of launch_app().
struct LaunchRequest {
  std::string state_root;   ///< absolute; launch_app() makes it (0700) if it is missing
  LaunchPlan plan;          ///< launch_app() fills in the fields that say so
  std::string spec_json;    ///< the app as it was submitted, for read_spec()
  std::string helper_path;  ///< absolute path of slipway-local-supervisor
  /// The supervisor's end of a socket or pipe; the owner keeps the other end open, close-on-exec.
  /// When that end is closed, which the kernel does after any death of the owner, the supervisor
  /// cancels the app. Through a socket the owner may also give the app up (SLIPWAY_OWNER_RELEASE).
  /// Needed if plan.owned, ignored otherwise. Borrowed until launch_app() returns.
  int owner_fd = -1;
  /// Descriptors that hold the app's leases on ports (machine_leases.hpp). Supervisor and warden
  /// inherit them, so the leases end with these two. Borrowed until launch_app() returns.
  std::vector<int> lease_fds;
};

/// Records the app, starts its supervisor, and returns after the supervisor's acknowledgement. From
/// then on the app exists, even if the caller dies. Replicas may not run yet. Their failures, such
/// as a missing executable, appear in the app's state.
///
/// While the returned descriptor is open, prune_finished() keeps the record (app_lock.hpp).
///
/// Throws, and leaves neither record nor log directory nor process:
///   kInvalid      the plan breaks a rule of plan.hpp, its names are too long for a record,
///                 state_root or helper_path is not absolute, or owner_fd is missing
///   kExists       the app or its log directory exists, or another command is starting or deleting
///                 the app
///   kCantCreate   the record or the log directory cannot be written (path, reason and hint)
///   kUnavailable  the helper cannot start, failed, or did not acknowledge in time; or the kernel's
///                 boot id is unknown
///   kTemporary    the helper was killed, or the system has a shortage that may pass
/// Before it makes its own draft, removes those of launches and deletions that died on this
/// machine, except drafts of another version. Thread safe.
OwnedFd launch_app(const LaunchRequest& request);

}  // namespace slipway::local
