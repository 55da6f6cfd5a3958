// The mark in the environment of everything that an app starts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::local {

inline constexpr std::string_view kAppMarkName = "SLIPWAY_LOCAL_APP";

/// `SLIPWAY_LOCAL_APP=<directory of the app's record>`, for the app whose directory is `dir_fd`.
/// Every replica gets it, and what it starts inherits it, unless it is given another environment.
/// Throws Error when /proc does not tell the directory's name.
std::string app_mark(int dir_fd);

/// Whether process `pid` was started with the environment entry `mark`. False also when that cannot
/// be told: the process is another user's, has ended, or has overwritten its environment.
bool has_mark(std::int32_t pid, std::string_view mark);

/// Removes `mark` from this process's own environment, also as /proc shows it: a supervisor that
/// was started from within its app is not to be taken for a part of it.
void drop_mark(std::string_view mark);

}  // namespace slipway::local
