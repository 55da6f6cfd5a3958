// Signals for the replicas of an app: orders and results. See abi/signal.h for the contract.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/logs.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The range of signal numbers in Linux.
inline constexpr int kFirstSignal = 1;
inline constexpr int kLastSignal = 64;

/// A signal and the replicas that get it.
struct SignalOrder {
  std::string app_id;
  int signal = 0;                  ///< kFirstSignal to kLastSignal
  std::vector<LogTarget> targets;  ///< if empty, every replica

  /// Returns whether the order selects this replica.
  bool names(std::string_view role, std::int32_t replica) const {
    return targets_include(targets, role, replica);
  }
};

/// The result for one replica.
struct SignalResult {
  std::string role;           ///< empty if `replica` is -1
  std::int32_t replica = -1;  ///< -1 stands for all replicas of the order
  bool sent = false;
  std::string why;  ///< the reason for users if it was not sent, otherwise empty
};

}  // namespace sdk_1_0
}  // namespace slipway
