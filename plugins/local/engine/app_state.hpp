// The values that a record holds about an app and its replicas at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_rules.hpp"
#include "slipway/status.hpp"

namespace slipway::local {

/// The reason why commands on this machine must not change a record.
enum class Foreign : std::uint8_t {
  kNo,       ///< they may change it
  kMachine,  ///< the app belongs to another machine that shares the directory
  kVersion,  ///< a newer version of Slipway wrote the record
};

// Times are nanoseconds since the epoch (CLOCK_REALTIME) unless a field says otherwise; 0: not yet.

/// The bytes that a replica had written to each stream by the end of an attempt, all earlier
/// attempts included.
struct LogEnds {
  std::uint64_t out = 0;
  std::uint64_t err = 0;
};

/// An attempt that another one followed.
struct EarlierAttempt : AttemptStatus {
  std::optional<LogEnds> logs;  ///< unknown if the attempt's journal line does not have them
};

/// The values of a replica. app_description.hpp makes a ReplicaStatus from them. An app may have
/// 10,000 replicas, so copies must be cheap.
struct ReplicaSnapshot {
  std::int32_t id = 0;     ///< number within the role
  std::int32_t count = 1;  ///< number of replicas that share these values (Detail::kMerged)
  AppState state = AppState::kPending;    ///< PENDING, RUNNING, SUCCEEDED, FAILED or CANCELLED
  std::int32_t pid = 0;                   ///< 0: never started, pending, or merged; kept at the end
  std::optional<std::int32_t> exit_code;  ///< only if it ended by exit()
  std::optional<std::int32_t> signal;     ///< only if a signal ended it
  Reason reason = Reason::kNone;
  bool exceeded_own_timeout = false;  ///< its last attempt was stopped because of `timeout_s`
  std::int32_t error_number = 0;      ///< errno of a replica that could not be started, else 0
  std::uint32_t restarts = 0;         ///< starts after the first
  std::int64_t started_ns = 0;
  std::int64_t finished_ns = 0;
  ResourceUse use;  ///< of the last attempt, once it has ended
  /// Of a pending replica: the boottime_ns() at which the pause before its next attempt ends. In
  /// the past, or 0: it waits for nothing or for something else. 0 for merged replicas.
  std::int64_t due_ns = 0;
  /// The file that its TORCHELASTIC_ERROR_FILE names existed at its end.
  bool has_error_file = false;
  /// Whether its readiness probe has passed in the last attempt; nullopt: it has no probe.
  std::optional<bool> ready;
  bool service = false;                 ///< its role is a service
  std::string gpus;                     ///< numbers of its leased GPUs, `0,1`; empty: none
  std::string ports_json;               ///< `{"http":8080}`; empty: none
  std::vector<EarlierAttempt> earlier;  ///< all attempts before the last one, oldest first
};

/// The values of the replicas of a role.
struct RoleSnapshot {
  std::string name;
  std::vector<ReplicaSnapshot> replicas;  ///< by id, ascending
};

/// The values that a list shows of an app.
struct AppSummary {
  std::string session;
  std::string app_id;
  std::string name;
  std::string scheduler;
  AppState state = AppState::kUnknown;  ///< of a foreign app: the last recorded one
  std::int64_t submitted_ns = 0;
  std::int64_t started_ns = 0;
  std::int64_t finished_ns = 0;
  std::int64_t order = 0;  ///< as in LaunchPlan
  std::string message;     ///< for people; empty: nothing to report
  std::string host;        ///< name of the app's machine; empty for an app from the index
  Foreign foreign = Foreign::kNo;
  std::uint64_t machine_tag = 0;  ///< of the app's machine (machine_identity.hpp)
  std::string problem;            ///< why the record cannot be read; empty: it can
};

/// All values of an app.
struct AppSnapshot : AppSummary {
  std::string log_dir;  ///< absolute
  bool cancel_requested = false;
  bool exceeded_app_timeout = false;  ///< the supervisor stopped the app for that
  bool owned = false;                 ///< the app ends with the command that started it
  bool has_combined_logs = true;      ///< each replica has a combined.log
  std::uint32_t num_restarts = 0;     ///< restarts of the whole app
  std::uint64_t sequence = 0;         ///< grows with every change
  std::int32_t supervisor_pid = 0;    ///< last known, for diagnosis only
  std::int32_t warden_pid = 0;        ///< the same; 0: the warden has become the supervisor
  /// The user who owns the record, if the caller may only read it (app_ref.hpp).
  std::optional<std::uint32_t> other_owner;
  std::vector<RoleSnapshot> roles;  ///< in the plan's order
};

}  // namespace slipway::local
