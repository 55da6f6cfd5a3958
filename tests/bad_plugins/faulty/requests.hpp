// The requests of the faulty scheduler.
#pragma once

#include "slipway/abi/scheduler.h"
#include "slipway/app.hpp"

namespace faulty {

// Implement the functions of slipway_scheduler_vtbl with these names.

slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call* call,
                             const slipway_app_def* app, const slipway_cfg* cfg,
                             slipway_on_finding on_finding, void* ctx, slipway_request** out,
                             slipway_error* err);
slipway_status request_print(slipway_scheduler* self, const slipway_request* given, int32_t format,
                             slipway_on_str on_text, void* ctx, slipway_error* err);
slipway_status request_patch(slipway_scheduler* self, slipway_request* request, slipway_str patch,
                             slipway_error* err);
void request_free(slipway_scheduler* self, slipway_request* request);

/// Returns the app of a request that submit_dryrun made.
const slipway::AppDef& app_of(const slipway_request* request);

}  // namespace faulty
