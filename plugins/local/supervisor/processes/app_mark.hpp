// The environment entry by which an app recognises its processes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::local {

inline constexpr std::string_view kAppMarkName = "SLIPWAY_LOCAL_APP";

/// Returns `SLIPWAY_LOCAL_APP=<directory of the app's record>` for the app whose record is
/// `dir_fd`. Every replica gets the entry. Its descendants inherit it unless they are given another
/// environment. Throws Error if /proc does not name the directory.
std::string app_mark(int dir_fd);

/// Returns whether process `pid` was started with the environment entry `mark`. Returns false for
/// processes that have ended, have overwritten their environment, or do not let the caller read it.
bool has_mark(std::int32_t pid, std::string_view mark);

/// Removes `mark` from the environment of this process, and from what /proc shows of it. Otherwise
/// a supervisor that was started from within its app would seem to be one of the app's processes.
void remove_mark(std::string_view mark);

}  // namespace slipway::local
