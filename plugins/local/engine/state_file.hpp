// Reading recorded apps. Nothing here needs a living supervisor, takes a lock or writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/replica_reader.hpp"

namespace slipway::local {

/// The app as it is now. nullopt: no such app. The record is untrusted: one that is damaged throws
/// kInvalid with its path. A record whose supervisors
/// have both died is read as they left it: call settle() (control.hpp) first when that matters.
///
/// When the result is terminal, every replica in it is terminal too. Thread safe.
std::optional<AppSnapshot> read_app(const AppRef& app, Detail detail = Detail::kEach);

/// The header alone; nullopt as above. Cheaper than read_app when replicas do not matter.
std::optional<AppSummary> read_summary(const AppRef& app);

/// The same of the app whose directory is open as `dir_fd`.
AppSummary read_summary(const AppRef& app, int dir_fd);

/// The header of `app_id` in the session whose directory is open as `session_fd`; both names must
/// be safe. nullopt when there is no such app. The summary of a record that cannot be read has a
/// `problem`, and neither scheduler nor state. One open, one read.
std::optional<AppSummary> read_listed(int session_fd, const std::string& session,
                                      const std::string& app_id);

/// The text handed to launch_app as spec_json. nullopt: no such app. Throws kUnavailable when the
/// file cannot be read or is larger than 64 MiB, kInvalid when it is damaged, and kDenied when the
/// record is not the caller's: what is read here may be run again.
std::optional<std::string> read_spec(const AppRef& app);

}  // namespace slipway::local
