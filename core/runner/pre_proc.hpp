// Applies `pre_proc`, the function by which a role changes the request of its app.
#pragma once

#include <string>

#include "slipway/app.hpp"
#include "slipway/app_request.hpp"

namespace slipway {

/// Calls the `pre_proc` of each role that has one, in the order of the roles, and applies the patch
/// that it returns. A later role sees the changes of earlier ones, as with TorchX's
/// `Role.pre_proc`. Throws the exception of a pre_proc, and an Error with the role's name
/// (kInvalid, kUnimplemented) if a patch cannot be applied.
void apply_pre_procs(const AppDef& app, const std::string& scheduler, AppRequest& request);

}  // namespace slipway
