// Ending an app, sending signals to its replicas, and replacing a supervisor that died.
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

/// Returns the path of the helper's program. A function, because finding the path costs more than
/// most commands need: they start no helper.
using HelperPath = std::string (*)();

/// Asks for cancellation and returns when the supervisor has recorded the request; the app becomes
/// terminal later. `grace` replaces the plan's time between SIGTERM and SIGKILL; `now` kills at
/// once, also when an earlier, gentler cancel is under way. Idempotent; a finished app stays as it
/// is. An app that no process supervises gets a successor first (as settle() does), some times over
/// when that one dies, too. A supervisor that lives is asked whatever the app's record looks like.
/// Also returns when the record is damaged beyond repair and what ran of the app was killed.
/// Throws kNotFound (no such app), kUnavailable (a foreign record), kTemporary (a supervisor that
/// does not answer, or successors that die), and like settle().
void cancel_app(const AppRef& app, HelperPath helper_path,
                std::optional<std::chrono::milliseconds> grace, bool now);

/// Sends `signal` to the process groups of the replicas with these numbers, ascending, counted over
/// all roles in the plan's order. Returns the numbers of those that got it: a replica that waits or
/// has ended does not. Nothing else of the app changes. An app that no process supervises gets a
/// successor first. Never repeats what may have been carried out. Throws kNotFound (no such app),
/// kTemporary (a supervisor that does not answer or dies meanwhile, and then some may have got it),
/// and like settle().
std::vector<std::uint32_t> signal_replicas(const AppRef& app, HelperPath helper_path, int signal,
                                           const std::vector<std::uint32_t>& replicas);

/// Returns whether a supervisor holds the app's lock and has a socket for requests. A helper that
/// only repairs the record holds the lock as well, but has no socket. Takes no lock itself, so it
/// never disturbs another process. False if there is no such app.
bool has_supervisor(const AppRef& app);

/// Makes sure that the app is finished or supervised: when it is neither, starts `helper_path
/// recover` and returns when that one has taken over: what lives is adopted, the rest is recorded
/// as lost, an app without its owner is being cancelled. Otherwise (also: no such app) does
/// nothing, in some ten microseconds. A header that is damaged is put right by the supervisor;
/// without one, as repair_record() does. A foreign record (foreign_record.hpp) is left alone.
/// Returns the app as it is then; nullopt: no such app. Throws kUnavailable when the helper cannot
/// be started or fails, with its reason, and like read_summary: OtherVersion with nothing done.
std::optional<AppSummary> settle(const AppRef& app, HelperPath helper_path);

/// Puts a damaged record right, as far as that is possible: the supervisor writes its own copy over
/// it; without a supervisor, what still runs of the app is killed, and the state is written again
/// from the journal. Throws as settle() does, kUnavailable for a foreign record, and kInvalid when
/// what ran was killed and the state cannot be written again.
void repair_record(const AppRef& app, HelperPath helper_path);

/// read_app(), and again after repair_record() when the record is damaged. settle() comes first.
std::optional<AppSnapshot> read_repaired(const AppRef& app, HelperPath helper_path,
                                         Detail detail = Detail::kEach);

}  // namespace slipway::local
