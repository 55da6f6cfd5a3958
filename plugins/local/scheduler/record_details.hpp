// What a record explains besides its state: the error files that replicas write
// (TORCHELASTIC_ERROR_FILE), the limits that they exceeded, and what pending replicas wait for.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// The limits of a role, for people. Each text has a meaning only for replicas that exceeded that
/// limit.
struct LimitTexts {
  std::string time;      ///< "timeout_s of 1 s"
  std::string app_time;  ///< "app_timeout_s of 2 s"
  std::string memory;    ///< "128 MiB"
};

/// The result of read_details().
struct RecordDetails {
  /// The contents of error files as JSON text, by role and replica.
  std::map<std::pair<std::string, std::int32_t>, std::string> error_files;
  std::string first_error_file;  ///< the content that was written first; empty if there is no file
  std::map<std::string, LimitTexts> limits;  ///< by role; empty if no replica exceeded a limit
  /// What the replicas of a role wait for before their first attempt, by role: "db to succeed".
  std::map<std::string, std::string> waits;
};

/// Reads the limits, if a replica exceeded one, what pending replicas wait for, and the error
/// files that the app's record names. Formats the JSON of these files as Python's json.dumps does,
/// but keeps each of several equal keys of an object, and leaves a string with a lone surrogate
/// (`\udc80`) as it is. Leaves out a file that is missing, larger than 1 MiB, not JSON, or nested
/// more than 200 levels deep. (The status command of TorchX fails if a file is missing or not
/// JSON.) With `app.other_owner`, also leaves out files of other users than that owner. If the
/// launch plan cannot be read, leaves out everything.
RecordDetails read_details(const AppRef& ref, const AppSnapshot& app);

}  // namespace slipway::local
