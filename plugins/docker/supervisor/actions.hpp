// Carries out what a supervisor has decided.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/supervisor/decision.hpp"

namespace slipway::docker {

/// Sends the orders of decisions to the engine. Another supervisor may carry out the same decision
/// at the same time. Each attempt is still created once, because the engine gives a name to only
/// one container. Not thread-safe.
class Actions {
 public:
  /// Time after which an order to stop is repeated, because an engine that is killed forgets the
  /// orders that it has not carried out.
  static constexpr std::chrono::seconds kRepeat{30};
  /// The same for the order of a command that cancels, whose grace time this process does not know.
  static constexpr std::chrono::minutes kRepeatOfCommand{10};
  /// After this many starts that ended with an internal error of the engine (status 500), or
  /// because the container's network is missing or has its name already, the container gets a mark.
  /// An engine that has just been killed and started again may refuse a start, and accept it a
  /// moment later.
  static constexpr int kStarts = 3;

  explicit Actions(const Engine& engine) : engine_(engine) {}

  /// Stops, creates and starts containers as decided. Throws the engine's error; then a part of the
  /// decision may have been carried out, and the next decision contains the rest.
  void carry_out(const Decision& decision);

 private:
  using Clock = std::chrono::steady_clock;

  void stop(const std::vector<Decision::Stop>& stops);
  void create(const std::vector<Decision::Attempt>& attempts);
  void start(const std::vector<const Container*>& starts);
  void free_name(const Container& container);
  bool is_stopped_by_command(const Decision::Stop& stop) const;

  Engine engine_;
  std::map<std::string, Clock::time_point> stopped_;  // by id: time of the last order to stop
  std::set<std::string> marked_;                      // by id: marked by this object
  std::map<std::string, int> refused_;                // by id: starts that ended so
};

}  // namespace slipway::docker
