// Roles that wait for other roles.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "sdk/support/rules/start_rules.hpp"

namespace slipway::local {

/// Decides from the state file which roles may start. A role is given by its position in
/// AppFiles::roles(). A role that may start keeps that right until the app is restarted, even if
/// the roles that it waited for fail later. A successor infers the right from the started replicas
/// of the role. Costs nothing for apps without dependencies. Not thread safe.
class Dependencies {
 public:
  /// All must outlive this.
  Dependencies(AppFiles& files, const Replicas& replicas, const Rounds& rounds);

  bool has_any() const { return has_any_; }
  /// Reads the state file again. Must be called after it has changed and before may_start().
  void update();
  /// Returns whether every role that `role` waits for has reached the required state.
  bool may_start(std::uint32_t role) const { return !has_any_ || may_start_[role]; }
  /// Returns whether a role that `role` waits for can no longer reach the required state, because
  /// a replica of it has failed, or has ended before it was ready. Only a restart of that other
  /// role or of the app could then let `role` start.
  bool can_never_start(std::uint32_t role) const { return has_any_ && can_never_start_[role]; }

 private:
  /// One role waits for another.
  struct Edge {
    std::uint32_t role = 0;  // the role that is waited for
    Dependency::Until until = Dependency::Until::kStarted;
  };
  rules::AwaitedReplica awaited(std::uint32_t index) const;
  bool is_met(const Edge& edge) const;
  bool can_never_be_met(const Edge& edge) const;
  bool has_started(std::uint32_t role) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
  bool has_any_ = false;
  std::uint32_t round_ = 0;               // Rounds::app_restarts() at the last update()
  std::vector<std::vector<Edge>> edges_;  // by the role that waits
  std::vector<bool> may_start_;
  std::vector<bool> can_never_start_;
};

}  // namespace slipway::local
