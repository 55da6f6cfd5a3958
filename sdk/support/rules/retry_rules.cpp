#include "sdk/support/rules/retry_rules.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace slipway::rules {
namespace {

bool contains(const std::vector<std::int32_t>& all, std::int32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Returns a number that looks random (splitmix64), even if `value` is 0, 1, 2, ….
std::uint64_t scatter(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace

bool RetryFilter::matches(Reason reason, std::int32_t wait_status) const {
  if (any) return true;
  switch (reason) {
    case Reason::kExit: return contains(exit_codes, WEXITSTATUS(wait_status));
    case Reason::kSignal: return contains(signals, WTERMSIG(wait_status));
    case Reason::kOom: return oom;
    case Reason::kLost: return lost;
    case Reason::kTimeout: return timeout;
    case Reason::kNotReady: return not_ready;
    default: return false;  // `retry_on` has no word for the other reasons
  }
}

std::int64_t Backoff::delay_ms(std::uint32_t retry, std::uint64_t random) const {
  if (initial_ms == 0) return 0;  // 0 times an infinite factor^n is not a number
  const double most = static_cast<double>(max_ms);
  const double grown = static_cast<double>(initial_ms) * std::pow(factor, retry);
  const double delay = grown < most ? grown : most;
  // -1 to 1: the upper 53 bits, divided by 2^52.
  const double spread = static_cast<double>(scatter(random) >> 11U) / 4503599627370496.0 - 1;
  return std::llround(delay * std::max(0.0, 1 + jitter * spread));
}

std::string seconds_text(std::int64_t ms) {
  char text[32];
  // 15 digits are exact, and "%g" alone would print a year as 3.1536e+07.
  std::snprintf(text, sizeof text, "%.15g", static_cast<double>(ms) / 1000);
  return text;
}

std::int64_t milliseconds(double seconds) {
  const std::int64_t ms = std::llround(seconds * 1000);
  return ms == 0 && seconds > 0 ? 1 : ms;
}

}  // namespace slipway::rules
