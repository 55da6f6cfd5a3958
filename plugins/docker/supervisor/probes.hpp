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

/// Probes each running container of a role with a readiness probe until the container is ready, and
/// then never again. A successor of the helper probes all running containers again. Not
/// thread-safe.
class Probes {
 public:
  using Clock = ContainerProbe::Clock;

  explicit Probes(const Engine& engine) : engine_(engine) {}

  /// Begins to probe the containers that run, and ends the probes of those that do not.
  void update(const AppRules& rules, const AppProgress& progress);
  const ReadyContainers& ready() const { return ready_; }
  /// Returns whether update() has ever begun to probe the container.
  bool has_seen(const std::string& id) const { return since_.count(id) != 0; }
  /// Returns the time since update() began to probe the container, also after the end of the probe;
  /// 0 if it never began.
  std::chrono::nanoseconds time_since_first_probe(const std::string& id) const;

  /// Adds the descriptors of the probes.
  void add_to(std::vector<pollfd>& fds) const;
  /// Returns when advance() must be called without an event.
  Clock::time_point due() const;
  /// Advances the probes that are due or have a descriptor. Returns whether a container has become
  /// ready.
  bool advance();

 private:
  Engine engine_;
  std::vector<rules::ReadyProbe> role_probes_;      // by role; ContainerProbe refers to them
  std::map<std::string, ContainerProbe> probes_;    // by the id of the container
  std::map<std::string, Clock::time_point> since_;  // first probe, by the id of the container
  ReadyContainers ready_;
};

}  // namespace slipway::docker
