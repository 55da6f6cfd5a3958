// The retries that the roles of an app may have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Reads the app's definition at the first call of of(). Borrows the invocation.
class RetryLimits {
 public:
  RetryLimits(Invocation& invocation, AppHandle handle)
      : invocation_(invocation), handle_(std::move(handle)) {}

  /// Returns the limit of the role; null if it is not known or the definition cannot be read. If
  /// the scheduler's error is kTemporary or kNotFound, the next call queries it again.
  const RetryLimit* of(const std::string& role);

 private:
  std::map<std::string, RetryLimit> read() const;

  Invocation& invocation_;
  AppHandle handle_;
  std::optional<std::map<std::string, RetryLimit>> limits_;  // by role; none before an answer
};

}  // namespace slipway::cli
