// The readiness probes of an app's containers.
#pragma once

#include <poll.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plugins/docker/state/app_progress.hpp"
#include "plugins/docker/state/readiness_report.hpp"
#include "plugins/docker/supervisor/container_probe.hpp"

namespace slipway::docker {

/// Probes each running container of a role with a probe until it is ready, and then never again. A
/// successor needs nothing of it: it probes again. Not thread safe.
class Probes {
 public:
  using Clock = ContainerProbe::Clock;

  explicit Probes(const Engine& engine) : engine_(engine) {}

  /// Begins to probe the containers that run, and ends the probes of those that do not.
  void update(const AppRules& rules, const AppProgress& progress);
  const ReadyContainers& ready() const { return ready_; }

  void add_to(std::vector<pollfd>& fds) const;
  /// Returns when advance() must be called without an event.
  Clock::time_point due() const;
  /// Does what is due. Returns whether another container is ready.
  bool advance();

 private:
  Engine engine_;
  std::vector<rules::ReadyProbe> rules_;          // by role
  std::map<std::string, ContainerProbe> probes_;  // by container
  ReadyContainers ready_;
};

}  // namespace slipway::docker
