// Which records the caller may read or act on. The rules are those of local records
// (sdk/support/ownership.hpp): a record names programs, so only its own user acts on it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace slipway::slurm {

/// Throws Error kDenied if another user than the caller can have written the directory of all
/// records. Root may read it. A missing directory is no error.
void require_readable(const std::string& state_root);

/// Throws Error kDenied if another user than the caller can have written the record of the app, or
/// the directory of all records. A missing record is no error.
void require_own(const std::string& state_root, const std::string& app_id);

/// Returns the owner of the record if the caller, who is root, may only read it; nothing if the
/// record is missing or the caller's own. Throws Error kDenied if the caller may not read it.
std::optional<uid_t> other_owner(const std::string& record_dir);

}  // namespace slipway::slurm
