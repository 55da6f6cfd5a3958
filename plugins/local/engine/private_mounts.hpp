// Bind mounts that one process and its descendants alone see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plugins/local/engine/replica_needs.hpp"

namespace slipway::local {

/// What enter() needs, made beforehand, since it runs where nothing may be allocated.
class PrivateMounts {
 public:
  /// For root a mount namespace alone; for others a user namespace around it, in which they are who
  /// they are and nobody else is known (so set-user-ID programs do not work there). `mounts` must
  /// outlive this.
  explicit PrivateMounts(const std::vector<BindMount>& mounts);

  bool empty() const { return mounts_.empty(); }

  /// What enter() was at when it failed.
  enum class Step : int { kNamespace, kIdentity, kPrivacy, kBind, kReadOnly };
  struct Failure {
    Step step = Step::kNamespace;
    std::size_t mount = 0;  ///< which one, for kBind and kReadOnly
  };

  /// Moves the calling process into namespaces of its own and mounts in order, so that a later one
  /// may lie in an earlier one. Nothing of it shows outside, and all of it is gone with the last
  /// process inside. 0, or errno with `failure` set; the process must end then. System calls only:
  /// for a child that shares its parent's memory.
  int enter(Failure& failure) const;

  /// `bind mount /a at /b`, for messages.
  std::string describe(const Failure& failure) const;

 private:
  const std::vector<BindMount>& mounts_;
  std::string uid_map_;  // empty for root
  std::string gid_map_;
};

/// Does it in a process of its own that ends at once. Throws kPrecondition that says which mount of
/// `role` fails and why, or that this kernel does not let this user mount anything.
void try_mounts(const std::string& role, const std::vector<BindMount>& mounts);

/// The path outside of what is `path` inside: below the source of the last mount it lies in.
std::string outside_path(const std::vector<BindMount>& mounts, const std::string& path);

}  // namespace slipway::local
