// Whose files may decide which code runs: ownership and mode of manifests, libraries and their
// directories.
#pragma once

#include <sys/stat.h>

#include <string>

namespace slipway::registry {

/// Whom the running process may trust besides root.
struct TrustPolicy {
  bool enabled = true;  ///< false: no ownership or mode check at all
  uid_t user = 0;       ///< files of this user are trusted; root's always are

  /// The policy of this process: its effective user. With elevated privileges that do not come from
  /// that user (setgid, file capabilities) only root, since the caller's own files must not steer
  /// them.
  static TrustPolicy of_process(bool elevated);
};

/// Throws Error(kDenied) when `path`, whose status is `st`, belongs to somebody who is not trusted
/// or may be written by everybody (a sticky directory like /tmp may). `what` names it in the
/// message: "the manifest", "its directory". The hint is the exact chown or chmod.
void check_trusted(const TrustPolicy& policy, const std::string& path, const struct stat& st,
                   const char* what);

/// Throws Error(kDenied) when `path` is a symbolic link of a user who is not trusted: that user would
/// choose which of the trusted files is used.
void check_link_trusted(const TrustPolicy& policy, const std::string& path);

/// Does what check_trusted() does for the directory that holds `path`. Its ancestors are not looked at.
void check_directory_trusted(const TrustPolicy& policy, const std::string& path);

}  // namespace slipway::registry
