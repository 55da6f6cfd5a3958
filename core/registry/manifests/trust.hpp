// Whose files may decide which code runs: ownership and mode of manifests, libraries, configuration
// files and their directories.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "core/registry/manifests/search_path.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {

/// Whom the running process may trust besides root.
struct TrustPolicy {
  bool enabled = true;             ///< false: no ownership or mode check at all
  uid_t user = 0;                  ///< files of this user are trusted; root's always are
  std::vector<uid_t> owners = {};  ///< users that the site trusts as it trusts root
  std::vector<gid_t> groups = {};  ///< groups that may write, as the site says

  /// Returns the policy of this process: its effective user. With elevated privileges that do not
  /// come from that user (setgid, file capabilities) only root, since the caller's own files must
  /// not steer them. Only root also where the user namespace does not map the effective user,
  /// because the files of many users look like that user's there.
  static TrustPolicy of_process(bool elevated);
};

/// Throws Error(kDenied) when `path`, whose status is `st`, belongs to a user who is not trusted in
/// a place of `origin`, or when a user who is not trusted may write to it: all users, or a group
/// that is neither the owner's private one nor one that the site lists. Sticky directories such as
/// /tmp may be writable. `what` names the file in the message: "the manifest", "its directory". The
/// hint is the exact chown or chmod; it never gives a file to the caller.
///
/// Trusted everywhere: root, the policy's user and owners. In places of the installation (kVendor,
/// kShared) also the owner of the running executable, whose code runs anyway. In the site's places
/// also the user as whom root's files appear in a user namespace without root.
void check_trusted(const TrustPolicy& policy, Origin origin, const std::string& path,
                   const struct stat& st, const char* what);

/// Throws Error(kDenied) when `path` is a symbolic link of a user who is not trusted: that user
/// would choose which of the trusted files is used.
void check_link_trusted(const TrustPolicy& policy, Origin origin, const std::string& path);

/// Does what check_trusted() does for the directory that holds `path`. Its ancestors are left to
/// PlaceFindings.
void check_directory_trusted(const TrustPolicy& policy, Origin origin, const std::string& path);

/// Opens `path`, which an untrusted user may have chosen, for reading. A FIFO does not block, and a
/// terminal does not become the controlling one. Returns an empty OwnedFd and sets errno when that
/// fails.
OwnedFd open_untrusted(const std::string& path);

/// Returns whether `group` is the primary group of `user`, has the user's name and no other member.
bool is_private_group(uid_t user, gid_t group);

}  // namespace slipway::registry
