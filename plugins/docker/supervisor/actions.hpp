// Carries out what a supervisor has decided.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/supervisor/decision.hpp"

namespace slipway::docker {

/// Another supervisor may do the same at the same time: the engine gives a name to one container
/// only, so each attempt is created once. Not thread safe.
class Actions {
 public:
  /// Time after which an order is repeated: an engine that is killed forgets those that it has not
  /// carried out.
  static constexpr std::chrono::seconds kRepeat{30};

  explicit Actions(const Engine& engine) : engine_(engine) {}

  /// Throws the engine's error; then a part of the decision may be carried out, and the next
  /// decision finds the rest.
  void carry_out(const Decision& decision);

 private:
  using Clock = std::chrono::steady_clock;

  void stop(const std::vector<Decision::Stop>& stops);
  void create(const std::vector<Decision::Attempt>& attempts);
  void start(const std::vector<const Container*>& starts);
  bool is_stopping(const Container& container);

  Engine engine_;
  std::map<std::string, Clock::time_point> stopped_;  // by id: when it was ordered last
};

}  // namespace slipway::docker
