// The exception of the host library and of plug-ins in C++.
//
// It does not cross the boundary between them as an exception (abi/base.h, rule R5). The thrower's
// side converts it to a status code and a message, and the other side converts these to an Error.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "slipway/abi/base.h"

namespace slipway {
inline namespace sdk_1_0 {

/// The category of a failure. The values are those of the ABI (SLIPWAY_E_*, abi/base.h).
enum class Code : std::int32_t {
  kUnimplemented = SLIPWAY_E_UNIMPLEMENTED,
  kInvalid = SLIPWAY_E_INVALID,
  kNotFound = SLIPWAY_E_NOT_FOUND,
  kExists = SLIPWAY_E_EXISTS,
  kPrecondition = SLIPWAY_E_PRECONDITION,
  kDenied = SLIPWAY_E_DENIED,
  kUnavailable = SLIPWAY_E_UNAVAILABLE,
  kTimeout = SLIPWAY_E_TIMEOUT,
  kCancelled = SLIPWAY_E_CANCELLED,
  kInternal = SLIPWAY_E_INTERNAL,
  kAbi = SLIPWAY_E_ABI,
  kCantCreate = SLIPWAY_E_CANT_CREATE,
  kConfig = SLIPWAY_E_CONFIG,
  kUsage = SLIPWAY_E_USAGE,
  kTemporary = SLIPWAY_E_TEMPORARY,
  kOutcomeUnknown = SLIPWAY_E_OUTCOME_UNKNOWN,
};

/// A failure, with texts for users.
///
/// `message` says what failed and why. `hint` says what to do next, or is empty. `where` is the
/// place, such as `file:line:column`, a plug-in or a replica, or is empty. `what()` returns the
/// message.
class Error : public std::exception {
 public:
  Error(Code code, std::string message, std::string hint = {}, std::string where = {})
      : code_(code),
        message_(std::move(message)),
        hint_(std::move(hint)),
        where_(std::move(where)) {}

  Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::string& where() const noexcept { return where_; }
  /// Returns a JSON object for programs, or an empty text. `--json` prints it as `details` of the
  /// error.
  const std::string& details() const noexcept { return details_; }
  /// Returns this error with `json_object` as its details.
  Error with_details(std::string json_object) && {
    details_ = std::move(json_object);
    return std::move(*this);
  }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Code code_;
  std::string message_;
  std::string hint_;
  std::string where_;
  std::string details_;
};

}  // namespace sdk_1_0
}  // namespace slipway
