// Reading recorded apps. Nothing here needs a living supervisor, takes a lock or writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

class FinishedApps;

enum class Detail {
  kEach,    ///< every replica, with all that is known of it
  kMerged,  ///< of roles of more than SLIPWAY_MERGE_ABOVE replicas, those next to each other that are equal but for pid and
            ///< times come as one, without these; no earlier attempts, ports and GPUs
};

/// The app as it is now. nullopt: no such app. The record is untrusted: one that is torn, of
/// another version or inconsistent throws kUnavailable with its path. A record whose supervisors
/// have both died is read as they left it: call settle() (control.hpp) first when that matters.
///
/// When the result is terminal, every replica in it is terminal too. Thread safe.
std::optional<AppSnapshot> read_app(const AppRef& app, Detail detail = Detail::kEach);

/// The header alone; nullopt as above. Cheaper than read_app when replicas do not matter.
std::optional<AppSummary> read_summary(const AppRef& app);

/// The same of the app whose directory is open as `dir_fd`.
AppSummary read_summary(const AppRef& app, int dir_fd);

/// Every app of every session below `state_root`, oldest submission first. Unreadable records and
/// directories that are being made are left out. A state root that does not exist holds no app; one
/// that may not be read, or is no directory, throws kDenied or kUnavailable.
/// Reads one page per app, but for those that are `known` (borrowed; null: none).
std::vector<AppSummary> list_apps(const std::string& state_root,
                                  const FinishedApps* known = nullptr);

/// The text handed to launch_app as spec_json. nullopt: no such app. Throws kUnavailable when the
/// file cannot be read or is larger than 64 MiB.
std::optional<std::string> read_spec(const AppRef& app);

/// Absolute log directory of the app; nullopt: no such app. Throws like read_app.
std::optional<std::string> app_log_dir(const AppRef& app);

}  // namespace slipway::local
