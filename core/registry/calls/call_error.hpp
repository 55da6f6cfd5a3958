// The object behind the ABI's opaque slipway_error, in which a failing call of a plug-in reports
// the reason.
#pragma once

#include <string>

#include "slipway/abi/base.h"

/// The error of one call, on the caller's stack. slipway_host.error_set fills it with copies (rule
/// R4 of slipway/abi/base.h).
struct slipway_error {
  slipway_status code = SLIPWAY_OK;
  std::string message;
  std::string hint;
  std::string detail_json;
};

namespace slipway::registry {

/// The hint of an error for which the plug-in gave neither a reason nor a hint.
inline constexpr const char* kReasonIsMissing =
    "an error without a reason is a defect of the plug-in: report it to its author";

/// Throws the Error of a failed call (status < 0); does nothing for other statuses. `where` is the
/// id of the plug-in, or the path of its library. The error's code is `status`, not `error.code`,
/// or kInternal for a status that this version does not know. A missing message becomes
/// "no reason given: " and status_text(), with kReasonIsMissing unless the status says enough.
void throw_if_failed(slipway_status status, const slipway_error& error, const std::string& where);

/// Returns the words for SLIPWAY_OK or an error of the ABI: "permission denied", "unavailable",
/// ...; "status <n>" for any other number.
std::string status_text(slipway_status status);

}  // namespace slipway::registry
