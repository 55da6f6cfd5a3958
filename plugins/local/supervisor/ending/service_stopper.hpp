// Stops the services of an app whose other roles have all ended.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"

namespace slipway::local {

/// Stops a service, with the grace time of its role, when all services that depend on it have
/// ended. So no service loses one that it uses. The entries alone show that the work is done, so a
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
  std::vector<std::vector<std::uint32_t>> awaited_roles_;  // by the role that waits for them
  std::vector<std::uint32_t> unstopped_services_;          // those that are not being stopped yet
};

}  // namespace slipway::local
