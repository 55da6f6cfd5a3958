// Reads the error file of a replica, in the format of TorchElastic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipway {

/// `{"message": {"message": …, "errorCode": …, "extraInfo": {"timestamp": …}}}`; all but the
/// message may be missing. A timestamp counts as missing if it is 2e11 s or more before or after
/// 1970, or neither a number nor a text with a whole number.
struct ErrorReport {
  std::string message;                    ///< the full message, not shortened
  std::string exit_code;                  ///< as text; empty if missing, null, 0 or false
  std::optional<std::int64_t> timestamp;  ///< seconds since 1970-01-01 UTC
};

/// Returns the report, or nullopt if the text is not one. Does not throw for any text.
std::optional<ErrorReport> read_error_report(std::string_view json_text);

/// Returns the time in the local time zone, as Python's datetime prints it: `2023-11-14 22:13:20`.
/// Returns the number if the system cannot convert it.
std::string local_time_text(std::int64_t seconds);

}  // namespace slipway
