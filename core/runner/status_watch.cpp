#include "core/runner/status_watch.hpp"

#include <algorithm>
#include <utility>

#include "slipway/error.hpp"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1000};
constexpr std::chrono::milliseconds kLongestPause{30000};

}  // namespace

StatusWatch::StatusWatch(const registry::PluginScheduler& scheduler, std::string app_id, Log log)
    : scheduler_(scheduler), app_id_(std::move(app_id)), log_(std::move(log)) {}

StatusWatch::Answer StatusWatch::query() {
  try {
    Answer out;
    // Most subscriptions end because the app has ended, and then no new one is needed.
    if (watch_) out.description = scheduler_.describe(app_id_, 0);
    const bool is_done = watch_ && (!out.description || is_over(*out.description));
    if (!is_watching_ && !is_done) {
      subscribe();
      out.description = scheduler_.describe(app_id_, 0);
    }
    if (pause_) log_(LogLevel::kInfo, scheduler_.name() + " answers again");
    pause_.reset();
    return out;
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    start_pause(error.message());
    return {false, std::nullopt};
  }
}

void StatusWatch::subscribe() {
  if (watch_) {
    watch_->renew();
  } else {
    watch_.emplace(scheduler_, app_id_, EventScope::kState);
  }
  is_watching_ = true;
}

void StatusWatch::start_pause(const std::string& why) {
  if (!pause_) {
    log_(LogLevel::kWarning,
         scheduler_.name() + " does not answer: " + why + "; waiting until it does");
  }
  pause_ = pause_ ? std::min(*pause_ * 2, kLongestPause) : kFirstPause;
  next_query_ = std::chrono::steady_clock::now() + *pause_;
}

int StatusWatch::fd() const { return pause_ || !is_watching_ ? -1 : watch_->fd(); }

std::optional<std::chrono::steady_clock::time_point> StatusWatch::next_query() const {
  if (!pause_) return std::nullopt;
  return next_query_;
}

void StatusWatch::drain() {
  try {
    is_watching_ = watch_->drain();
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    // The subscription goes on. Its descriptor may still be readable, so it is not polled at once.
    start_pause(error.message());
  }
}

}  // namespace slipway
