// The object behind the ABI's opaque slipway_error: where a failing call of a plug-in leaves its
// reason.
#pragma once

#include <string>

#include "slipway/abi/base.h"

/// Filled by slipway_host.error_set, which copies everything (rule R4); one per call, on the
/// caller's stack.
struct slipway_error {
  slipway_status code = SLIPWAY_OK;
  std::string message;
  std::string hint;
  std::string detail_json;
};

namespace slipway::registry {

/// Throws the Error that `status` and `error` describe when the call failed (status < 0); otherwise
/// does nothing. `where` says whose call it was: "org.example.slurm", a path. The status returned
/// wins over the recorded code; a status outside the ABI's range becomes kAbi; without a message
/// the code's name is used.
void throw_if_failed(slipway_status status, const slipway_error& error, const std::string& where);

/// The words for a code: "permission denied", "unavailable", ...; "status <n>" for a number the ABI
/// does not know.
std::string status_text(slipway_status status);

}  // namespace slipway::registry
