// Forgetting finished apps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// Removes the record of a finished app, or of one that is damaged and not supervised, and its
/// logs: those below the record, and a log directory of its own elsewhere (only the role
/// directories and files that the engine made; a directory that then holds other things stays).
/// Throws kNotFound, kPrecondition (not terminal), kDenied, or kUnavailable for a foreign record
/// (foreign_record.hpp). Waits for a supervisor that is just leaving.
void delete_app(const AppRef& app);

/// Which finished apps are kept.
struct Retention {
  std::size_t apps = 0;      ///< so many, those that ended last
  std::int64_t age_ms = -1;  ///< those that ended within that time; -1: however long ago
};

/// Keeps the finished apps that `keep` says of `apps`, which list_apps() has found below
/// `state_root`, and deletes the records of the other finished apps. Their logs go only when they
/// lie below the record. Skips apps that cannot be deleted, whose supervisor is just leaving, or
/// whose end another process is about to read (app_lock.hpp). Foreign records
/// (foreign_record.hpp) are neither counted nor deleted. Returns how many records were deleted.
std::size_t prune_finished(const std::string& state_root, std::vector<AppSummary> apps,
                           const Retention& keep);

}  // namespace slipway::local
