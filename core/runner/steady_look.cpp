#include "core/runner/steady_look.hpp"

#include <algorithm>
#include <utility>

#include "slipway/error.hpp"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1000};
constexpr std::chrono::milliseconds kLongestPause{30000};

}  // namespace

SteadyLook::SteadyLook(const registry::PluginScheduler& scheduler, std::string app_id, Log log)
    : scheduler_(scheduler), app_id_(std::move(app_id)), log_(std::move(log)) {}

SteadyLook::Answer SteadyLook::look() {
  try {
    Answer out;
    // After a subscription has ended, the app most often has, too.
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
    fall_silent(error.message());
    return {false, std::nullopt};
  }
}

void SteadyLook::subscribe() {
  if (watch_) {
    watch_->renew();
  } else {
    watch_.emplace(scheduler_, app_id_);
  }
  is_watching_ = true;
}

void SteadyLook::fall_silent(const std::string& why) {
  if (!pause_) {
    log_(LogLevel::kWarning,
         scheduler_.name() + " does not answer: " + why + "; waiting until it does");
  }
  pause_ = pause_ ? std::min(*pause_ * 2, kLongestPause) : kFirstPause;
  next_look_ = std::chrono::steady_clock::now() + *pause_;
}

int SteadyLook::fd() const { return pause_ || !is_watching_ ? -1 : watch_->fd(); }

std::optional<std::chrono::steady_clock::time_point> SteadyLook::next_look() const {
  if (!pause_) return std::nullopt;
  return next_look_;
}

void SteadyLook::drain() { is_watching_ = watch_->drain(); }

}  // namespace slipway
