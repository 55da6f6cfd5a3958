#include "core/cli/apps/retry_limits.hpp"

namespace slipway::cli {

const RetryLimit* RetryLimits::of(const std::string& role) {
  if (!limits_) {
    limits_.emplace();
    if (const std::optional<AppDef> app = invocation_.runner().describe(handle_)) {
      for (const Role& each : app->roles)
        limits_->emplace(each.name, RetryLimit{each.max_retries, each.retry_policy});
    }
  }
  const auto found = limits_->find(role);
  return found == limits_->end() ? nullptr : &found->second;
}

}  // namespace slipway::cli
