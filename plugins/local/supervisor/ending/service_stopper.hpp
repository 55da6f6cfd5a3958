// Stops the services of an app whose other roles have all ended.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"

namespace slipway::local {

/// A service stops when no service that waits for it is left, each with the app's grace time, so
/// that none loses a service that it uses. The records alone say that the work is done, so a
/// successor begins the same stop again. Costs nothing for apps without services. Not thread safe.
class ServiceStopper {
 public:
  /// All must outlive this.
  ServiceStopper(AppFiles& files, Replicas& replicas, KillLadder& ladder, Readiness& readiness);

  /// Stops the services whose turn has come. Must be called after replicas have ended.
  void advance();

 private:
  void begin();
  bool has_ended(std::uint32_t role) const;
  std::vector<bool> needed_roles() const;

  AppFiles& files_;
  Replicas& replicas_;
  KillLadder& ladder_;
  Readiness& readiness_;
  bool has_begun_ = false;
  std::vector<std::vector<std::uint32_t>> after_;  // by role: the roles that it waits for
  std::vector<std::uint32_t> left_;                // services that were not sent a signal
};

}  // namespace slipway::local
