// What options accept, checked while the command line is read.
#pragma once

#include <string>

namespace slipway::cli {

/// Each is a validator of CLI11: empty when `text` will do, else what is wrong with it. [any
/// thread]

/// For --timeout and --grace: a number of seconds, 0 to 1e9.
std::string check_seconds(const std::string& text);

/// A whole number of at most nine digits.
std::string check_count(const std::string& text);

/// A name that parse_log_level() knows.
std::string check_log_level(const std::string& text);

}  // namespace slipway::cli
