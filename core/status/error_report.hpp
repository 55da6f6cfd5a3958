// What a replica left in its error file, in the shape that TorchElastic writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipway {

/// `{"message": {"message": …, "errorCode": …, "extraInfo": {"timestamp": …}}}`; all but the message may be missing.
struct ErrorReport {
  std::string message;                    ///< as written, not reduced
  std::string exit_code;                  ///< its text; empty: none, or 0, which no failure has
  std::optional<std::int64_t> timestamp;  ///< seconds since 1970-01-01 UTC
};

/// Never throws for the text: nullopt when it is no such report.
std::optional<ErrorReport> read_error_report(std::string_view json_text);

/// `2023-11-14 22:13:20` in the local time zone, as Python's datetime shows it.
std::string local_time_text(std::int64_t seconds);

}  // namespace slipway
