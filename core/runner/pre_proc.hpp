// The changes that roles make to the request of their app.
#pragma once

#include <string>

#include "slipway/app.hpp"
#include "slipway/app_request.hpp"

namespace slipway {

/// Calls the `pre_proc` of each role that has one, in the order of the roles, and applies the patch
/// that it returns, so that a later role sees what an earlier one changed. Semantics: TorchX's
/// `Role.pre_proc`. Throws what a pre_proc throws, and Error kInvalid or kUnimplemented, naming the
/// role, when its patch cannot be applied.
void apply_pre_procs(const AppDef& app, const std::string& scheduler, AppRequest& request);

}  // namespace slipway
