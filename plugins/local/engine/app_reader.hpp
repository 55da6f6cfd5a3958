// Reads the records of apps. Needs no living supervisor, takes no lock and writes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/replica_reader.hpp"

namespace slipway::local {

/// Returns the app as its record shows it; nullopt: no such app. After the death of supervisor and
/// warden the record is out of date; ensure_supervised() (control.hpp) updates it. The record is
/// untrusted: throws kInvalid, with the path, for a damaged one, and OtherVersion for an unknown
/// format. Throws kDenied or kUnavailable if the record cannot be read.
///
/// In a terminal app all replicas are terminal. Thread safe.
std::optional<AppSnapshot> read_app(const AppRef& app, Detail detail = Detail::kEach);

/// Returns the summary of the app; nullopt: no such app. Takes less time than read_app(), because
/// it reads only the header. Errors as read_app().
std::optional<AppSummary> read_summary(const AppRef& app);

/// Returns the summary of `app`, whose directory is open as `dir_fd`. Errors as read_app().
AppSummary read_summary(const AppRef& app, int dir_fd);

/// Returns the summary of `app_id` in the session whose directory is open as `session_fd`; nullopt:
/// no such app. Both names must be safe. The summary of a record that cannot be read has a
/// `problem`, but neither scheduler nor state. Opens the state file alone and not the record's
/// directory, because a list may have thousands of records.
std::optional<AppSummary> read_listed(int session_fd, const std::string& session,
                                      const std::string& app_id);

/// Returns the spec_json of launch_app(); nullopt: no such app. Throws kUnavailable if the file
/// cannot be read or is larger than 64 MiB, kInvalid if it is damaged, and kDenied if the record is
/// not the caller's, because the caller may run what it reads.
std::optional<std::string> read_spec(const AppRef& app);

}  // namespace slipway::local
