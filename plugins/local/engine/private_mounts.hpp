// Bind mounts that only one process and its descendants see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plugins/local/engine/replica_needs.hpp"

namespace slipway::local {

/// Prepares the mounts, so that enter() allocates no memory.
///
/// Root gets a mount namespace. Other users get one inside a user namespace, which maps only their
/// own user and group, so set-user-ID programs do not work there.
class PrivateMounts {
 public:
  /// `mounts` must outlive this object.
  explicit PrivateMounts(const std::vector<BindMount>& mounts);

  bool empty() const { return mounts_.empty(); }

  /// The steps of enter(), in order. describe() has their meaning.
  enum class Step : int { kNamespace, kIdentity, kPrivacy, kBind, kReadOnly };
  /// The step that failed.
  struct Failure {
    Step step = Step::kNamespace;
    std::size_t mount = 0;  ///< index of the mount, for kBind and kReadOnly
  };

  /// Moves the calling process into namespaces of its own, and mounts in order, so that a mount may
  /// be inside an earlier one. Processes outside see no change. The kernel removes the mounts with
  /// the last process in the namespace. Returns 0, or errno with `failure` set; the process must
  /// then end. Makes system calls only, for a child that shares its parent's memory.
  int enter(Failure& failure) const;

  /// Returns the action that failed, such as `bind mount /a at /b`, for messages.
  std::string describe(const Failure& failure) const;

 private:
  const std::vector<BindMount>& mounts_;
  std::string uid_map_;  // empty for root, which needs no user namespace
  std::string gid_map_;
};

/// Tests the mounts in a child process that then ends. Throws kPrecondition with the failing mount
/// of `role` and the reason; if no mount is possible at all, with why this kernel does not let the
/// user mount.
/// Throws kTemporary or kUnavailable if the child cannot start, or ends before it has the result.
void try_mounts(const std::string& role, const std::vector<BindMount>& mounts);

/// Returns the path on the machine of the file that a replica with these mounts sees at `path`
/// (absolute): below the source of the last mount that contains `path`, where the source itself
/// may be inside an earlier mount; `path` itself if no mount contains it. Compares paths without
/// `.` and `..`, and follows no links.
std::string outside_path(const std::vector<BindMount>& mounts, const std::string& path);

}  // namespace slipway::local
