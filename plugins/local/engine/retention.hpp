// Deletes and prunes the records of finished apps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "slipway/host.hpp"

namespace slipway::local {

/// Deletes the record and the logs of a finished app, or of an unsupervised app whose record is
/// damaged. In a log directory outside the record, removes only the files that Slipway makes, and
/// then empty directories; leaves it alone if the record is damaged. Waits for a supervisor that is
/// just ending, at most kAnswerMs (supervisor_connection.hpp), until the deadline of `call`, or
/// until its cancellation.
///
/// Throws kNotFound, kPrecondition (the app is not finished), kDenied, kUnavailable for a foreign
/// record (foreign_record.hpp) and for a record with a mount in it, and kTemporary, kTimeout or
/// kCancelled if the supervisor does not exit in time.
void delete_app(const AppRef& app, const Call& call = {});

/// The limits of pruning, which keeps the finished apps that are within all of them.
struct Retention {
  std::optional<std::size_t> apps;  ///< number of apps, those that ended last; nullopt: no limit
  std::int64_t age_ms = -1;         ///< longest time since their end; -1: no limit
  /// The disk space of the records of the kept apps in bytes, measured at most once an hour; -1: no
  /// limit. Beyond it, those that ended first are deleted, but none that ended in the last 24
  /// hours.
  std::int64_t bytes = -1;
};

/// The numbers of deleted apps.
struct Pruned {
  std::size_t apps = 0;
  std::size_t apps_over_bytes = 0;  ///< those of `apps` that were deleted for Retention::bytes
};

/// Deletes the records of the finished apps in `apps` that `keep` does not keep, and notes them in
/// the list of deleted apps (deleted_apps.hpp). list_apps() has found `apps` below `state_root`.
/// Deletes logs inside the records only. Skips apps that it cannot delete, whose supervisor is just
/// ending, or whose record a process holds (app_lock.hpp). Neither counts nor deletes foreign
/// records (foreign_record.hpp).
Pruned prune_finished(const std::string& state_root, std::vector<AppSummary> apps,
                      const Retention& keep);

}  // namespace slipway::local
