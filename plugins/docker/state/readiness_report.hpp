// Which containers are ready, from the helper of their app, which alone knows it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// The containers of an app whose readiness probes have passed.
class ReadyContainers {
 public:
  void add(const std::string& id) { ids_.emplace(id, 0, kPart); }
  bool contains(const std::string& id) const { return ids_.count(id.substr(0, kPart)) != 0; }

  /// Returns the text between processes.
  std::string text() const;
  static ReadyContainers of_text(std::string_view text);

 private:
  static constexpr std::size_t kPart = 12;  // as `docker ps` prints ids

  std::set<std::string> ids_;
};

/// The helper's side. Answers every process of the machine. Not thread safe.
class ReadinessReport {
 public:
  explicit ReadinessReport(const std::string& app_id);

  /// Returns a descriptor for poll(), or -1 if another process has the address.
  int fd() const { return listener_.get(); }
  /// Answers the processes that ask, when fd() is readable. Never waits.
  void answer(const ReadyContainers& ready);

 private:
  OwnedFd listener_;
};

/// Asks the app's helper. Returns nullopt if it has none here, or if it does not answer in time.
std::optional<ReadyContainers> ask_ready_containers(const std::string& app_id, const Call& call);

}  // namespace slipway::docker
