// The groups of checks, which catalogue() combines.
#pragma once

#include <vector>

#include "sdk/check/check.hpp"

namespace slipway::check {

std::vector<Check> load_checks();
std::vector<Check> provider_checks();
std::vector<Check> scheduler_checks();
std::vector<Check> scheduler_view_checks();
std::vector<Check> app_checks();
std::vector<Check> app_blocking_checks();
std::vector<Check> signal_checks();
std::vector<Check> image_checks();
std::vector<Check> resource_checks();
std::vector<Check> component_checks();
std::vector<Check> workspace_checks();

}  // namespace slipway::check
