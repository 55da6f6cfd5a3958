// What pending replicas wait for, in words that follow "waits for".
#pragma once

#include <cstdint>
#include <string>

#include "sdk/support/rules/start_rules.hpp"

namespace slipway::rules {

/// Returns "db to succeed".
inline std::string dependency_text(const Dependency& on) {
  switch (on.until) {
    case Dependency::Until::kStarted: return on.role + " to start";
    case Dependency::Until::kSucceeded: return on.role + " to succeed";
    case Dependency::Until::kHealthy: return on.role + " to be healthy";
  }
  return on.role;
}

/// Returns "a free slot (max_parallel is 4)".
inline std::string slot_text(std::int64_t max_parallel) {
  return "a free slot (max_parallel is " + std::to_string(max_parallel) + ")";
}

/// Returns "the next attempt, in 28 s"; `left_ns` is rounded up.
inline std::string pause_text(std::int64_t left_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return "the next attempt, in " + std::to_string((left_ns + kSecond - 1) / kSecond) + " s";
}

}  // namespace slipway::rules
