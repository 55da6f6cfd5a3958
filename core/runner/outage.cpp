#include "core/runner/outage.hpp"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1000};
constexpr std::chrono::milliseconds kLongestPause{30000};

}  // namespace

Outage::Outage(std::string scheduler, Log log)
    : scheduler_(std::move(scheduler)), log_(std::move(log)) {}

void Outage::query_failed(const std::string& why) {
  if (!pause_)
    log_(LogLevel::kWarning, scheduler_ + " does not answer: " + why + "; waiting until it does");
  pause_ = pause_ ? std::min(*pause_ * 2, kLongestPause) : kFirstPause;
  next_query_ = std::chrono::steady_clock::now() + *pause_;
}

void Outage::query_succeeded() {
  if (pause_) log_(LogLevel::kInfo, scheduler_ + " answers again");
  pause_.reset();
}

std::optional<std::chrono::steady_clock::time_point> Outage::next_query() const {
  if (!pause_) return std::nullopt;
  return next_query_;
}

}  // namespace slipway
