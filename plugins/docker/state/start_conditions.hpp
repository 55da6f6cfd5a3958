// What the replicas of an app wait for before they start.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugins/docker/state/app_progress.hpp"
#include "slipway/status.hpp"

namespace slipway::docker {

/// The pause before an attempt that follows another one.
struct Pause {
  TimeNs from;                 ///< the end of the attempts before; nullopt: there is no pause
  std::int64_t length_ns = 0;  ///< the same whenever it is asked for
};

/// Returns whether the readiness probe of the container has passed.
using IsReady = std::function<bool(const Container&)>;

enum class Order {
  kMayStart,
  kWaits,
  kNever,  ///< a role that it waits for has failed
};

/// What a pending replica waits for, in words that follow "waits for"; empty if nothing is known.
struct Wait {
  std::string text;
  TimeNs end;  ///< of the pause
};

/// The conditions of a moment. Looks at each attempt once, however many replicas ask. Not thread
/// safe.
class StartConditions {
 public:
  /// `rules` and `progress` must outlive this.
  StartConditions(const AppRules& rules, const AppProgress& progress, const IsReady& is_ready);

  /// Returns the pause before the last attempt of the replica, which has not started.
  Pause pause_before(const ReplicaProgress& replica) const;
  /// Returns whether the order of roles lets replicas of the role start. A role that has started
  /// once keeps that right until the app starts again.
  Order order_of(std::size_t role) const { return roles_[role].order; }
  /// Returns the number of replicas that run and are not of services.
  std::size_t running_work() const { return running_work_; }
  /// Returns whether `max_parallel` lets a replica of the role start while `running` others run,
  /// which are not of services.
  bool has_slot(std::size_t role, std::size_t running) const;
  Wait wait_of(const ReplicaProgress& replica, std::int64_t now_ns) const;

 private:
  /// The end of several attempts.
  struct End {
    TimeNs last;                        ///< nullopt: none has ended
    const Container* failed = nullptr;  ///< the last one that has failed

    void add(const Container& attempt);
  };
  struct RoleState {
    std::vector<const ReplicaProgress*> replicas;
    bool was_let_start = false;  ///< since the app started last
    Order order = Order::kMayStart;
    std::string awaited;                      ///< what its order waits for, in words
    std::map<std::pair<int, int>, End> ends;  ///< by the restarts of app and role before
  };

  void look_at(const ReplicaProgress& replica);
  void find_order(std::size_t role, const IsReady& is_ready);

  const AppRules& rules_;
  const AppProgress& progress_;
  std::vector<RoleState> roles_;
  std::map<int, End> app_ends_;  // by the restarts of the app before
  std::size_t running_work_ = 0;
};

}  // namespace slipway::docker
