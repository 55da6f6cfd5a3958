// The exit statuses of `slipway`, which scripts rely on.
#pragma once

#include "slipway/error.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 64;
inline constexpr int kExitData = 65;
inline constexpr int kExitNotFound = 66;
inline constexpr int kExitUnavailable = 69;
inline constexpr int kExitInternal = 70;
inline constexpr int kExitCantCreate = 73;
inline constexpr int kExitTemporary = 75;
inline constexpr int kExitDenied = 77;
inline constexpr int kExitConfig = 78;
inline constexpr int kExitTimeout = 124;
inline constexpr int kExitInterrupted = 130;

/// Returns the status for a failure of Slipway itself.
int exit_status(Code code);

/// Returns the name of the failure in JSON documents ("not_found").
const char* code_name(Code code);

/// Returns the status for an app that has ended: 0 when it succeeded, 130 when it was cancelled,
/// otherwise that of the cause of its failure: 124 for a time limit, 137 when the memory was not
/// enough, else the exit code of the replica that failed first, or 128 + n when signal n ended it.
/// 70 when the cause is not known.
int exit_status(const Description& app);

}  // namespace slipway::cli
