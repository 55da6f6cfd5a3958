// Signals that clients send to replicas.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"

namespace slipway::local {

/// Sends `signal` to the process groups of replicas that run; of `chosen`, bit i stands for replica
/// `from` + i. Returns those that got it in the same form. A replica keeps its record and its
/// retries: an end that the signal brings about is like any other.
std::uint64_t signal_running(const Replicas& replicas, KillLadder& ladder, int signal,
                             std::uint32_t from, std::uint64_t chosen);

}  // namespace slipway::local
