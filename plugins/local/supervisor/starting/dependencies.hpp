// Roles that start only when others have started, or succeeded.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"

namespace slipway::local {

/// Whether a role may start follows from the records alone, so that a successor sees the same. Once
/// it may, it may until the whole app is started again. Costs nothing for apps without
/// dependencies. Not thread safe.
class Dependencies {
 public:
  /// All must outlive this.
  Dependencies(AppFiles& files, const Replicas& replicas, const Rounds& rounds);

  bool any() const { return any_; }
  /// Looks at the records again. To be called after they have changed and before may_start() is
  /// asked.
  void update();
  /// Whether all that the role waits for is there.
  bool may_start(std::uint32_t role) const { return !any_ || may_start_[role]; }
  /// Whether something it waits for can no longer come, short of a restart of the app.
  bool never(std::uint32_t role) const { return any_ && never_[role]; }

 private:
  struct Edge {
    std::uint32_t on = 0;
    Dependency::Until until = Dependency::Until::kStarted;
  };
  bool is_met(const Edge& edge) const;
  bool is_lost(const Edge& edge) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
  bool any_ = false;
  std::uint32_t round_ = 0;
  std::vector<std::vector<Edge>> edges_;  // by role
  std::vector<bool> may_start_;
  std::vector<bool> never_;
};

}  // namespace slipway::local
