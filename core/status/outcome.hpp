// What became of replicas and apps, in words for people.
#pragma once

#include <string>

#include "slipway/status.hpp"

namespace slipway {

/// What became of a replica, beyond its state: "exit 3", "killed by SIGTERM", "pid 4711" while it runs; may be empty.
std::string outcome(const ReplicaStatus& replica);

/// Why the app failed: "trainer/2 exited with 3", or the app's own message.
std::string failure_text(const Description& app);

}  // namespace slipway
