#include "core/registry/calls/call_error.hpp"

#include <fmt/core.h>

#include "slipway/error.hpp"

namespace slipway::registry {

namespace {

// Returns whether the status alone does not explain the error.
bool needs_reason(slipway_status status) {
  return status != SLIPWAY_E_CANCELLED && status != SLIPWAY_E_TIMEOUT &&
         status != SLIPWAY_E_UNIMPLEMENTED;
}

}  // namespace

std::string status_text(slipway_status status) {
  // The index is the negative of the status.
  static constexpr const char* kTexts[] = {"ok",
                                           "not implemented",
                                           "invalid argument",
                                           "not found",
                                           "already exists",
                                           "failed precondition",
                                           "permission denied",
                                           "unavailable",
                                           "timeout",
                                           "cancelled",
                                           "internal error",
                                           "contract broken",
                                           "cannot create",
                                           "configuration error",
                                           "usage error",
                                           "temporary failure",
                                           "outcome unknown"};
  if (status > 0 || status < SLIPWAY_E_OUTCOME_UNKNOWN) return fmt::format("status {}", status);
  return kTexts[-status];
}

void throw_if_failed(slipway_status status, const slipway_error& error, const std::string& where) {
  if (status >= 0) return;
  const bool is_known = status >= SLIPWAY_E_OUTCOME_UNKNOWN;
  std::string message = error.message;
  std::string hint = error.hint;
  if (message.empty()) {
    message = fmt::format("no reason given: {}", status_text(status));
    if (hint.empty() && needs_reason(status)) hint = kReasonIsMissing;
  }
  throw Error(is_known ? static_cast<Code>(status) : Code::kInternal, std::move(message),
              std::move(hint), where)
      .with_details(error.detail_json);
}

}  // namespace slipway::registry
