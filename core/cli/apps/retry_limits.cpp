#include "core/cli/apps/retry_limits.hpp"

namespace slipway::cli {

const RetryLimit* RetryLimits::of(const std::string& role) {
  try {
    if (!limits_) limits_ = read();
  } catch (const Error& error) {
    // The text of an event without the limit is better than a lost event.
    if (error.code() == Code::kDenied) {
      limits_.emplace();  // root may read the events of other users' apps, but not the definition
    } else if (error.code() != Code::kTemporary && error.code() != Code::kNotFound) {
      throw;
    }
    return nullptr;
  }
  const auto found = limits_->find(role);
  return found == limits_->end() ? nullptr : &found->second;
}

std::map<std::string, RetryLimit> RetryLimits::read() const {
  std::map<std::string, RetryLimit> out;
  if (const std::optional<AppDef> app = invocation_.runner().describe(handle_)) {
    for (const Role& each : app->roles)
      out.emplace(each.name, RetryLimit{each.max_retries, each.retry_policy});
  }
  return out;
}

}  // namespace slipway::cli
