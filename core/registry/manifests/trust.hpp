// Checks of owner and mode for files that decide which code runs: manifests, libraries,
// configuration files and their directories.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "core/registry/manifests/search_path.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {

/// The users and groups that this process trusts besides root.
struct TrustPolicy {
  bool enabled = true;             ///< false: no check of owner and mode
  uid_t user = 0;                  ///< files of this user are trusted
  std::vector<uid_t> owners = {};  ///< users that the site trusts like root
  std::vector<gid_t> groups = {};  ///< groups that the site allows to write

  /// Returns the policy of this process, which trusts its effective user. It trusts only root in
  /// two cases. With elevated privileges that do not come from the effective user (setgid, file
  /// capabilities), the caller's files must not control them. In a user namespace that does not map
  /// the effective user, files of many users appear to be that user's.
  static TrustPolicy of_process(bool elevated);
};

/// Throws Error(kDenied) if an untrusted user owns `path`, whose status is `st`, or may write to
/// it. A file may be writable by its owner's private group and by groups that the site lists; a
/// sticky directory such as /tmp by all users. `what` names the file in the message: "the
/// manifest", "its directory". The hint is the exact chown or chmod command; it never makes the
/// caller the owner.
///
/// Root, the policy's user and its owners are trusted everywhere. In places of the installation
/// (kVendor, kShared), the owner of the running executable is also trusted, because that user's
/// code runs already. In a user namespace that does not map root, the site's places also trust the
/// uid that root's files have there.
void check_trusted(const TrustPolicy& policy, Origin origin, const std::string& path,
                   const struct stat& st, const char* what);

/// Throws Error(kDenied) if `path` is a symbolic link that an untrusted user owns. That user could
/// choose among trusted files.
void check_link_trusted(const TrustPolicy& policy, Origin origin, const std::string& path);

/// Applies check_trusted() to the directory of `path`. Throws Error(kUnavailable) if that directory
/// cannot be inspected. PlaceFindings warns about the directories above it.
void check_directory_trusted(const TrustPolicy& policy, Origin origin, const std::string& path);

/// Opens `path`, which an untrusted user may have chosen, for reading. A FIFO does not block, and a
/// terminal does not become the controlling one. `flags` are further flags of open(2). On failure,
/// returns an empty OwnedFd and sets errno.
OwnedFd open_untrusted(const std::string& path, int flags = 0);

}  // namespace slipway::registry
