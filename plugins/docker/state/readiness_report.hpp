// Which containers are ready. Only the helper of their app knows that, and reports it over a
// socket.
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
  void add(const std::string& id) { ids_.emplace(id, 0, kIdLength); }
  bool contains(const std::string& id) const { return ids_.count(id.substr(0, kIdLength)) != 0; }

  /// Returns the text that a helper sends and of_text() reads: the ids without separators, and an
  /// end character.
  std::string text() const;
  static ReadyContainers of_text(std::string_view text);

 private:
  static constexpr std::size_t kIdLength = 12;  // as `docker ps` prints ids

  std::set<std::string> ids_;
};

/// The helper's side of the report. Answers any process of the machine. Not thread-safe.
class ReadinessReport {
 public:
  explicit ReadinessReport(const std::string& app_id);

  /// Returns a descriptor for poll(), or -1 if another process has the address.
  int fd() const { return listener_.get(); }
  /// Answers the processes that ask. Never waits. Call it when fd() is readable. Returns false if
  /// some must wait because no descriptor is left; fd() then stays readable.
  bool answer(const ReadyContainers& ready);

 private:
  OwnedFd listener_;
};

/// Asks the app's helper which containers are ready. Returns nullopt if the app has no helper on
/// this machine, or if no complete answer arrives in time. Throws Error kCancelled after a
/// cancellation of the call, and kUnavailable if no descriptor is left.
std::optional<ReadyContainers> ask_ready_containers(const std::string& app_id, const Call& call);

}  // namespace slipway::docker
