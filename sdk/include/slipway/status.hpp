// The status of an app, its roles and its replicas; see abi/status.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipway/abi/status.h"
#include "slipway/app.hpp"
#include "slipway/app_state.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Nanoseconds since 1970-01-01 UTC; nullopt means "not yet" or "unknown".
using TimeNs = std::optional<std::int64_t>;

/// The resources that an attempt has used; see slipway_replica_status. 0 means "unknown".
struct ResourceUse {
  std::int64_t cpu_time_ns = 0;
  std::int64_t max_rss_bytes = 0;  ///< largest resident memory
};

/// An attempt of a replica before its current or last one.
struct AttemptStatus {
  AppState state = AppState::kUnknown;
  std::int64_t pid = 0;
  std::optional<std::int32_t> exit_code;
  std::int32_t signal = 0;
  std::string reason;
  TimeNs started_at;
  TimeNs finished_at;
  ResourceUse use;
};

/// One replica, or several equal ones (SLIPWAY_WANT_MERGED); see slipway_replica_status.
struct ReplicaStatus {
  std::int32_t id = 0;     ///< number of the replica in its role, from 0
  std::int32_t count = 1;  ///< number of replicas from `id` on that this entry stands for
  AppState state = AppState::kUnknown;
  std::string hostname;
  std::int64_t pid = 0;  ///< 0 if unknown
  /// Not set while the replica runs, after a signal ended it, and if its end was lost.
  std::optional<std::int32_t> exit_code;
  std::int32_t signal = 0;            ///< the signal that ended the replica, or 0
  std::string reason;                 ///< empty until the end; abi/status.h lists the words
  std::int32_t restarts = 0;          ///< attempts that have ended and were followed by another
  TimeNs started_at;                  ///< of the current or last attempt
  TimeNs finished_at;                 ///< of the current or last attempt
  ResourceUse use;                    ///< of the current or last attempt
  std::string structured_error_json;  ///< content of the replica's error file, or empty
  /// A JSON object with further members for `status --json`, or empty.
  std::string details_json;
  std::vector<AttemptStatus> earlier_attempts;  ///< all but the current or last attempt, in order
};

/// The replicas of one role, in the order of their ids.
struct RoleStatus {
  std::string role;
  std::vector<ReplicaStatus> replicas;
};

/// The description of an app; see slipway_description.
struct Description {
  std::string app_id;
  std::string name;
  AppState state = AppState::kUnknown;
  std::int32_t num_restarts = 0;      ///< times that the whole app was started again; -1: unknown
  std::string msg;                    ///< the reason why the app waits or failed, or empty
  std::string structured_error_json;  ///< that of the replica that failed first, or empty
  std::string ui_url;                 ///< page of the app for browsers, or empty
  TimeNs submitted_at;
  TimeNs started_at;
  TimeNs finished_at;
  std::vector<RoleStatus> roles;
  std::optional<AppDef> app;  ///< the app as submitted, if requested and kept
  StrDict metadata;           ///< facts about the app, such as its queue
};

/// Returns whether the app has ended: its state is terminal, or UNKNOWN with `finished_at`, which
/// means that the app's outcome was lost.
inline bool is_over(const Description& app) {
  return is_terminal(app.state) || (app.state == AppState::kUnknown && app.finished_at);
}

/// The apps that a list needs; see slipway_list_query. A scheduler may return more.
struct ListQuery {
  bool active_only = false;     ///< only apps that have not ended
  TimeNs since;                 ///< only apps that were submitted at this time or later
  std::int64_t limit = 0;       ///< at most this number of apps, the newest ones; 0: all
  bool one_of_several = false;  ///< the caller asks several schedulers; see abi/status.h
};

/// One app of a list.
struct ListItem {
  std::string app_id;
  std::string name;
  std::string session;  ///< empty: that of the scheduler object
  AppState state = AppState::kUnknown;
  TimeNs submitted_at;
};

}  // namespace sdk_1_0
}  // namespace slipway
