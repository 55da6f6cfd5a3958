#include "core/cli/apps/retry_limits.hpp"

namespace slipway::cli {

const RetryLimit* RetryLimits::of(const std::string& role) {
  try {
    if (!limits_) limits_ = read();
  } catch (const Error& error) {
    // The text of an event without the limit is better than a lost event. Other errors stay: the
    // definition is damaged, or belongs to another user, whose events root may still read.
    if (error.code() != Code::kTemporary && error.code() != Code::kNotFound) limits_.emplace();
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
