// Interprets the status of an app: how replicas ended, which one failed first, and whether they are
// ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "slipway/status.hpp"

namespace slipway {

/// Returns what the state of a replica does not say: "exit 3", "killed by SIGTERM", "pid 4711"
/// while it runs. May be empty.
std::string outcome(const ReplicaStatus& replica);

/// Returns the same for an earlier attempt: "exit 3", "SUCCEEDED", or "restarted" if Slipway
/// started its role or app again.
std::string outcome(const AttemptStatus& attempt);

/// Returns how an attempt or a replica ended, as the end of a sentence: "exited with 3", "was
/// killed by SIGTERM", "ran out of memory". `reason` is a word of abi/status.h. `limit` is the
/// limit that the replica exceeded, if it is known (limit_of()).
std::string ending_text(AppState state, std::optional<std::int32_t> exit_code, std::int32_t signal,
                        const std::string& reason, const std::string& limit = {});

/// Returns the number of attempts before the replica's current or last one, also if the scheduler
/// only counts them and does not describe them.
std::size_t earlier_attempts_of(const ReplicaStatus& replica);

/// Returns the failed replica that ended first, and sets `*role` to its role; both point into
/// `app`. Of several that ended at the same time, returns the first in the app's order. Returns
/// nullptr and leaves `*role` unchanged if no replica failed.
const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role);

/// Returns why the app failed: "trainer/2 exited with 3" for its first failure. If no replica
/// failed, returns the app's own message; also if the first that failed could not start or was not
/// ready in time, and the app has a message.
std::string failure_text(const Description& app);

/// Returns the member `limit` of the scheduler's details about a replica: the limit that it
/// exceeded, such as "timeout_s of 1 s" or "128 MiB". Empty if the scheduler does not report it.
/// Never throws. Thread safe.
std::string limit_of(const ReplicaStatus& replica);

/// Returns the member `waits_for` of the scheduler's details about a pending replica: "db to
/// succeed". Empty if the scheduler does not report it. Never throws. Thread safe.
std::string wait_of(const ReplicaStatus& replica);

/// Returns the member `next_attempt_at` of the scheduler's details about a replica that waits for
/// its next attempt: a time in RFC 3339. Empty if it waits for something else, or if the scheduler
/// does not report the time. Never throws. Thread safe.
std::string next_attempt_of(const ReplicaStatus& replica);

/// Returns the member `ready` of the scheduler's details about a replica
/// (ReplicaStatus::details_json), or nullopt if the scheduler does not report it. Never throws.
/// Thread safe.
std::optional<bool> readiness(const ReplicaStatus& replica);

/// Returns whether the scheduler's details say that the role is a service, which the app does not
/// wait for. Never throws. Thread safe.
bool is_service(const RoleStatus& role);

}  // namespace slipway
