// What a scheduler says about an app.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipway/abi/status.h"
#include "slipway/app.hpp"
#include "slipway/app_state.hpp"

namespace slipway {

/// Nanoseconds since 1970-01-01 UTC, or nothing: not yet, or not known.
using TimeNs = std::optional<std::int64_t>;

/// An attempt of a replica that ended and was followed by another.
struct AttemptStatus {
  AppState state = AppState::kUnknown;
  std::int64_t pid = 0;
  std::optional<std::int32_t> exit_code;
  std::int32_t signal = 0;
  std::string reason;
  TimeNs started_at;
  TimeNs finished_at;
};

struct ReplicaStatus {
  std::int32_t id = 0;
  std::int32_t count = 1;  ///< replicas from `id` on that this stands for (SLIPWAY_WANT_MERGED)
  AppState state = AppState::kUnknown;
  std::string hostname;
  std::int64_t pid = 0;  ///< 0: none to tell
  std::optional<std::int32_t>
      exit_code;            ///< none while it runs, when a signal ended it, when nobody saw the end
  std::int32_t signal = 0;  ///< 0: none
  std::string reason;       ///< empty until the end; see abi/status.h for the words
  std::int32_t restarts = 0;
  TimeNs started_at;
  TimeNs finished_at;
  std::string structured_error_json;  ///< empty: none
  /// A JSON object with what else the scheduler tells of it: its members are shown in `status
  /// --json`. Empty: none.
  std::string details_json;
  std::vector<AttemptStatus> earlier_attempts;  ///< the first first; the last is the replica's own
};

struct RoleStatus {
  std::string role;
  std::vector<ReplicaStatus> replicas;
};

struct Description {
  std::string app_id;
  std::string name;
  AppState state = AppState::kUnknown;
  std::int32_t num_restarts = 0;
  std::string msg;                    ///< empty: nothing to say
  std::string structured_error_json;  ///< empty: none
  std::string ui_url;                 ///< empty: none
  TimeNs submitted_at;
  TimeNs started_at;
  TimeNs finished_at;
  std::vector<RoleStatus> roles;
  std::optional<AppDef> app;  ///< the app as submitted, where asked for and kept
};

/// True when nothing about the app changes any more: its state is terminal, or UNKNOWN with a time
/// of its end, which is how a scheduler describes an app that has ended without a trace of how.
inline bool is_over(const Description& app) {
  return is_terminal(app.state) || (app.state == AppState::kUnknown && app.finished_at);
}

struct ListItem {
  std::string app_id;
  std::string name;
  std::string session;
  AppState state = AppState::kUnknown;
  TimeNs submitted_at;
};

}  // namespace slipway
