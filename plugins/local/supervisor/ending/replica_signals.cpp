#include "plugins/local/supervisor/ending/replica_signals.hpp"

namespace slipway::local {

std::uint64_t signal_running(const Replicas& replicas, KillLadder& ladder, int signal,
                             std::uint32_t from, std::uint64_t chosen) {
  std::uint64_t sent = 0;
  for (std::uint32_t i = 0; i < 64 && from < replicas.count() && i < replicas.count() - from; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    // The number of a replica that runs is its own: it is our child and was not reaped, or is held
    // by a pidfd.
    if ((chosen & bit) != 0 && replicas.runs_now(from + i) && ladder.signal_one(from + i, signal))
      sent |= bit;
  }
  return sent;
}

}  // namespace slipway::local
