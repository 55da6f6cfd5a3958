// The exit statuses of `slipway`, which scripts rely on.
#pragma once

#include "slipway/error.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

// The values from 64 to 78 are those of sysexits.h. 124 is the status of timeout(1), and 130 that
// of a shell's command that SIGINT ended.
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

/// Returns the status for a failure of Slipway itself. It is kExitTemporary for kTimeout: where an
/// error comes from --timeout, command_line.cpp returns kExitTimeout.
int exit_status(Code code);

/// Returns the name of the failure in JSON documents ("not_found").
const char* code_name(Code code);

/// Returns the status for an app that has ended: 0 if it succeeded, 130 if it was cancelled.
/// Otherwise the status depends on the replica that failed first: 124 if it reached its time limit
/// or was not ready in time, 137 if it ran out of memory, 128 + n if signal n ended it, else its
/// exit code. If none failed, returns 124 if the app's time limit cancelled a replica. Returns 70
/// if the cause is unknown.
int exit_status(const Description& app);

}  // namespace slipway::cli
