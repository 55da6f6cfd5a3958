// Why an app was stopped before its end, in words for its status.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/supervisor/record/replicas.hpp"

namespace slipway::local {

/// `w/3 failed (exit code 1) and the rest of the app was stopped, as fail_fast asks`
std::string fail_fast_message(AppFiles& files, std::uint32_t index);

/// `w/3 failed (signal 9): of 4 replicas of w 1 can still live, fewer than its min_replicas of 2`
std::string too_few_message(AppFiles& files, const Replicas& replicas, std::uint32_t index);

/// `the app took longer than its app_timeout_s of 2.5 seconds`
std::string app_timeout_message(const LifeRules& rules);

}  // namespace slipway::local
