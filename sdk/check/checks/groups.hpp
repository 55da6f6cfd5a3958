// The checks of each file, which catalogue() combines.
#pragma once

#include <vector>

#include "sdk/check/trial/check.hpp"
#include "slipway/abi/base.h"

namespace slipway::check {

/// A status that has no meaning for a plug-in. A check's callback returns it, and the plug-in must
/// return it unchanged.
inline constexpr slipway_status kCallbackStop = -77;

std::vector<Check> load_checks();
std::vector<Check> provider_checks();
std::vector<Check> scheduler_checks();
std::vector<Check> scheduler_request_checks();
std::vector<Check> scheduler_view_checks();
std::vector<Check> limit_checks();
std::vector<Check> app_checks();
std::vector<Check> app_end_checks();
std::vector<Check> app_state_checks();
std::vector<Check> app_owner_checks();
std::vector<Check> app_program_checks();
std::vector<Check> app_definition_checks();
std::vector<Check> app_log_checks();
std::vector<Check> app_host_checks();
std::vector<Check> app_process_checks();
std::vector<Check> app_blocking_checks();
std::vector<Check> signal_checks();
std::vector<Check> unknown_order_checks();
std::vector<Check> image_checks();
std::vector<Check> image_cache_checks();
std::vector<Check> resource_checks();
std::vector<Check> component_checks();
std::vector<Check> workspace_checks();

}  // namespace slipway::check
