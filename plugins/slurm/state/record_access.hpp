// Decides which records the caller may read or act on. The rules are those of local records
// (sdk/support/ownership.hpp): a record names programs, so only the user who owns it may act on it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace slipway::slurm {

/// Throws Error kDenied if a user other than the caller may have written to the directory of all
/// records. Does not throw for root, which may read it, or for a missing directory.
void require_readable(const std::string& state_root);

/// Throws Error kDenied if a user other than the caller may have written to the record of the app,
/// or to the directory of all records. Does not throw for a missing record.
void require_own(const std::string& state_root, const std::string& app_id);

/// Returns the owner of the record if the caller is root and may only read it. Returns nullopt if
/// the record is missing, or if the caller may act on it. Throws Error kDenied if the caller may
/// not read it.
std::optional<uid_t> other_owner(const std::string& record_dir);

}  // namespace slipway::slurm
