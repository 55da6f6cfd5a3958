// Describes for people how replicas and apps ended.
#pragma once

#include <string>

#include "slipway/status.hpp"

namespace slipway {

/// Returns what the state of a replica does not say: "exit 3", "killed by SIGTERM", "pid 4711"
/// while it runs. May be empty.
std::string outcome(const ReplicaStatus& replica);

/// Returns why the app failed: "trainer/2 exited with 3", or the app's own message.
std::string failure_text(const Description& app);

}  // namespace slipway
