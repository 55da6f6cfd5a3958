// Sending signals to the replicas of an app: the order, and what became of it. The contract is that
// of abi/signal.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/logs.hpp"

namespace slipway {

/// The signals that Linux numbers.
inline constexpr int kFirstSignal = 1;
inline constexpr int kLastSignal = 64;

struct SignalOrder {
  std::string app_id;
  int signal = 0;                  ///< kFirstSignal to kLastSignal
  std::vector<LogTarget> targets;  ///< none: every replica

  /// Whether it names this replica.
  bool names(std::string_view role, std::int32_t replica) const {
    return targets_include(targets, role, replica);
  }
};

/// What became of the order at one replica.
struct SignalResult {
  std::string role;           ///< empty with `replica` -1: all that the order names
  std::int32_t replica = -1;  ///< -1: the scheduler does not know them one by one
  bool sent = false;
  std::string why;  ///< for people, why it was not sent; empty when it was
};

}  // namespace slipway
