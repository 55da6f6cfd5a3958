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
  TimeNs begins_at;            ///< the end of the previous attempts; nullopt: no pause
  std::int64_t length_ns = 0;  ///< its random part depends on the containers alone
};

/// Returns whether the readiness probe of the container has passed.
using IsReady = std::function<bool(const Container&)>;

/// Whether the order of roles lets a role start.
enum class Order {
  kMayStart,
  kWaits,
  kNever,  ///< a role that the role waits for has failed, or cannot become ready any more
};

/// What a pending replica waits for.
struct Wait {
  std::string text;  ///< words that follow "waits for"; empty if it is unknown
  TimeNs end;        ///< the end of a pause; nullopt: it waits for something else
};

/// The conditions at one moment. The constructor reads each attempt once, so that calls for many
/// replicas are cheap. Not thread-safe.
class StartConditions {
 public:
  /// `rules` and `progress` must outlive this object.
  StartConditions(const AppRules& rules, const AppProgress& progress, const IsReady& is_ready);

  /// Returns the pause before the last attempt of the replica, which has not started.
  Pause pause_before(const ReplicaProgress& replica) const;
  /// Returns whether the order of roles lets replicas of the role start. A role that has started
  /// may start further replicas until the app is restarted.
  Order order_of(std::size_t role) const { return roles_[role].order; }
  /// Returns the number of running replicas, without services.
  std::size_t running_work() const { return running_work_; }
  /// Returns whether `max_parallel` lets a replica of the role start while `running` other replicas
  /// run, not counting services.
  bool has_slot(std::size_t role, std::size_t running) const;
  /// Returns what the replica waits for at the time `now_ns` of the engine's clock.
  Wait wait_of(const ReplicaProgress& replica, std::int64_t now_ns) const;

 private:
  /// The end of several attempts.
  struct End {
    TimeNs last;                        ///< the latest end; nullopt: no attempt has ended
    const Container* failed = nullptr;  ///< the attempt that failed last

    void add(const Container& attempt);
  };
  struct RoleState {
    std::vector<const ReplicaProgress*> replicas;
    bool has_started = false;  ///< in this round of the app
    Order order = Order::kMayStart;
    std::string awaited;                      ///< what the role waits for, in words
    std::map<std::pair<int, int>, End> ends;  ///< by the numbers of restarts of app and role
  };

  void add(const ReplicaProgress& replica);
  void find_order(std::size_t role, const IsReady& is_ready);

  const AppRules& rules_;
  const AppProgress& progress_;
  std::vector<RoleState> roles_;
  std::map<int, End> app_ends_;  // by the number of restarts of the app
  std::size_t running_work_ = 0;
};

}  // namespace slipway::docker
