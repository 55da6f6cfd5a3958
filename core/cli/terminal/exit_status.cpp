#include "core/cli/terminal/exit_status.hpp"

#include <signal.h>

#include <algorithm>
#include <string_view>

#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

/// Returns whether a replica of the app ended for this reason.
bool has_reason(const Description& app, std::string_view reason) {
  return std::any_of(app.roles.begin(), app.roles.end(), [&](const RoleStatus& role) {
    return std::any_of(role.replicas.begin(), role.replicas.end(),
                       [&](const ReplicaStatus& replica) { return replica.reason == reason; });
  });
}

}  // namespace

int exit_status(Code code) {
  switch (code) {
    case Code::kUsage: return kExitUsage;
    case Code::kInvalid: return kExitData;
    case Code::kNotFound: return kExitNotFound;
    case Code::kUnavailable:
    case Code::kUnimplemented:
    case Code::kAbi:
    case Code::kPrecondition: return kExitUnavailable;
    case Code::kExists:
    case Code::kCantCreate: return kExitCantCreate;
    case Code::kTimeout:
    case Code::kOutcomeUnknown:
    case Code::kTemporary: return kExitTemporary;
    case Code::kDenied: return kExitDenied;
    case Code::kConfig: return kExitConfig;
    case Code::kCancelled: return kExitInterrupted;
    case Code::kInternal: break;
  }
  return kExitInternal;
}

const char* code_name(Code code) {
  switch (code) {
    case Code::kUsage: return "usage";
    case Code::kInvalid: return "invalid";
    case Code::kNotFound: return "not_found";
    case Code::kUnavailable: return "unavailable";
    case Code::kUnimplemented: return "unimplemented";
    case Code::kAbi: return "abi";
    case Code::kPrecondition: return "precondition";
    case Code::kExists: return "exists";
    case Code::kCantCreate: return "cant_create";
    case Code::kTimeout: return "timeout";
    case Code::kTemporary: return "temporary";
    case Code::kOutcomeUnknown: return "outcome_unknown";
    case Code::kDenied: return "denied";
    case Code::kConfig: return "config";
    case Code::kCancelled: return "cancelled";
    case Code::kInternal: break;
  }
  return "internal";
}

int exit_status(const Description& app) {
  if (app.state == AppState::kSucceeded) return kExitOk;
  if (app.state == AppState::kCancelled) return kExitInterrupted;
  const RoleStatus* role = nullptr;
  const ReplicaStatus* failed = first_failure(app, &role);
  if (failed == nullptr) return has_reason(app, "timeout") ? kExitTimeout : kExitInternal;
  // After SIGTERM a replica may end with any exit code, so the reason comes first.
  if (failed->reason == "timeout" || failed->reason == "not_ready") return kExitTimeout;
  if (failed->reason == "oom") return 128 + SIGKILL;
  if (failed->signal > 0) return 128 + failed->signal;
  const int code = failed->exit_code.value_or(0) & 0xff;
  return code != 0 ? code : kExitInternal;
}

}  // namespace slipway::cli
