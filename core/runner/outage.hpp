// An outage of a scheduler, for commands that continue when it is over.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "slipway/host.hpp"

namespace slipway {

/// Decides when a command queries a scheduler again that does not answer: after pauses that grow
/// from 1 s to 30 s. `log` gets one warning when an outage starts and one line when it ends.
class Outage {
 public:
  using Log = std::function<void(LogLevel level, const std::string& message)>;

  Outage(std::string scheduler, Log log);

  /// Must be called after each query that fails with kTemporary. Starts a pause.
  void query_failed(const std::string& why);
  /// Must be called after each query that succeeds.
  void query_succeeded();

  /// Returns the time of the next query during an outage, otherwise nullopt.
  std::optional<std::chrono::steady_clock::time_point> next_query() const;

 private:
  std::string scheduler_;
  Log log_;
  std::optional<std::chrono::milliseconds> pause_;  // set during an outage
  std::chrono::steady_clock::time_point next_query_;
};

}  // namespace slipway
