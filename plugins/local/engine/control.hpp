// Cancels apps, sends signals to their replicas, replaces supervisors that died, and repairs
// records.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/replica_reader.hpp"

namespace slipway::local {

/// The function that returns the path of the helper's program. Finding the path takes time, and
/// most commands start no helper.
using HelperPath = std::string (*)();

/// Requests the cancellation of an app. Returns when the supervisor has recorded the request; the
/// app becomes terminal later. `grace` replaces the plan's grace time. `now` kills at once, even
/// during an earlier cancellation with a grace time. Leaves a finished app alone; a repeated
/// request does no harm.
///
/// Sends the request to a living supervisor even if the record is damaged. Starts a successor for
/// an unsupervised app as ensure_supervised() does, and further ones if successors die. Also
/// returns if the record is beyond repair and the helper has killed the processes of the app.
///
/// Throws kNotFound (no such app), kUnavailable (foreign record), kTemporary (the supervisor does
/// not answer, or every successor died), and the errors of ensure_supervised().
void cancel_app(const AppRef& app, HelperPath helper_path,
                std::optional<std::chrono::milliseconds> grace, bool now);

/// Sends `signal` to the process groups of `replicas`: ascending numbers, counted over all roles in
/// the plan's order. Returns the numbers of those that got the signal; a pending or ended replica
/// gets none. If the app has ended, returns those that a supervisor has reported. Changes nothing
/// else of the app. Starts a successor for an unsupervised app. Never repeats a request that a
/// supervisor may have carried out. The caller has refused foreign records (require_own() in
/// foreign_record.hpp).
///
/// Throws kNotFound (no such app), kTemporary (the supervisor does not answer, it died and some
/// replicas may have got the signal, or every successor died), and the errors of
/// ensure_supervised().
std::vector<std::uint32_t> signal_replicas(const AppRef& app, HelperPath helper_path, int signal,
                                           const std::vector<std::uint32_t>& replicas);

/// Returns whether a supervisor holds the app's lock and has a socket for requests. A helper that
/// only repairs the record also holds the lock, but has no socket. Takes no lock itself, so it
/// never disturbs another process. False if the app does not exist.
bool has_supervisor(const AppRef& app);

/// Makes sure that the app is finished or supervised, and returns its summary; nullopt: no such
/// app. For an app that is neither, starts `helper_path recover` and returns after its take-over.
/// The successor takes over the replicas that still run, records those whose end is unknown as
/// lost, and cancels an app that has an owner, because it cannot watch the owner. Otherwise takes
/// some ten microseconds and changes nothing, except that it repairs a damaged header, and removes
/// the socket that a killed supervisor left in a finished app. Leaves foreign records and those of
/// other users alone.
///
/// To repair a record, a supervisor overwrites the state file with its own copy. Without a
/// supervisor, the helper kills the processes of the app and rebuilds the state file from the
/// journal.
///
/// Throws kUnavailable or kTemporary, with the reason, if the helper cannot start or fails,
/// kInvalid if it has killed the processes of an app whose record is beyond repair, and the errors
/// of read_summary(). After OtherVersion nothing has changed.
std::optional<AppSummary> ensure_supervised(const AppRef& app, HelperPath helper_path);

/// Returns the result of read_app(). If the record is damaged, repairs it as ensure_supervised()
/// does, and reads again. The caller has called ensure_supervised() before.
std::optional<AppSnapshot> read_repaired(const AppRef& app, HelperPath helper_path,
                                         Detail detail = Detail::kEach);

}  // namespace slipway::local
