// The variables that every replica gets, whatever the scheduler; names and meaning are TorchX's.
#pragma once

#include <string>

#include "slipway/app.hpp"

namespace slipway {

/// Sets TORCHX_JOB_ID (`<scheduler>://<session>/${app_id}`), TORCHX_INTERNAL_SESSION_ID (inherited,
/// or one for this process) and, where this process has it in its environment or `parent_run_id` is
/// not empty, TORCHX_PARENT_RUN_ID in every role, over values of its own.
void add_runner_environment(AppDef& app, const std::string& scheduler, const std::string& session,
                            const std::string& parent_run_id);

/// Takes out of every role what add_runner_environment() put in for this very run.
void remove_runner_environment(AppDef& app);

}  // namespace slipway
