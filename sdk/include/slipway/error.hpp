// The one exception of Slipway, thrown by the host library and by plug-ins written with the C++
// layer.
//
// It never crosses the plug-in boundary as an exception: the boundary turns it into a status code
// and a message that the host copies (abi/base.h, rule R5), and the host turns these back into an
// Error.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "slipway/abi/base.h"

namespace slipway {

/// Why something failed; the values are those of the ABI (SLIPWAY_E_*), so that a code survives the
/// boundary unchanged.
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
};

/// A failure as a person should read it.
///
/// `message` says what failed and why, `hint` what to do next (may be empty), `where` the place it
/// concerns: a `file:line:column`, a plug-in, a replica (may be empty). `what()` is the message
/// alone.
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
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Code code_;
  std::string message_;
  std::string hint_;
  std::string where_;
};

}  // namespace slipway
