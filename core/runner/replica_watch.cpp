#include "core/runner/replica_watch.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "core/runner/poll_timeout.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds kShortestPause{100};
constexpr int kPauseFactor = 20;  // a pause lasts at least this many times as long as the look

}  // namespace

ReplicaWatch::ReplicaWatch(const registry::PluginScheduler& scheduler, std::string app_id,
                           OnLook on_look)
    : scheduler_(scheduler),
      app_id_(std::move(app_id)),
      on_look_(std::move(on_look)),
      allowed_at_(Clock::now() + kShortestPause) {}

int ReplicaWatch::fd() const { return watch_ && Clock::now() >= allowed_at_ ? watch_->fd() : -1; }

std::optional<ReplicaWatch::Clock::time_point> ReplicaWatch::next_step() const {
  if (fd() >= 0) return wanted_at_;
  return allowed_at_;
}

void ReplicaWatch::step() {
  if (Clock::now() < allowed_at_) return;
  const Clock::time_point begun = Clock::now();
  try {
    if (!has_changed() && (!wanted_at_ || begun < *wanted_at_)) return;
    look();
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary && error.code() != Code::kNotFound) throw;
    watch_.reset();
  }
  const Clock::time_point now = Clock::now();
  allowed_at_ = now + std::max<Clock::duration>(kShortestPause, kPauseFactor * (now - begun));
}

bool ReplicaWatch::has_changed() {
  if (!watch_) {
    watch_.emplace(scheduler_, app_id_, EventScope::kReplicas);
    return true;
  }
  pollfd ready{watch_->fd(), POLLIN, 0};
  if (::poll(&ready, 1, 0) <= 0) return false;
  try {
    if (!watch_->drain()) watch_.reset();
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;  // the subscription continues
  }
  return true;
}

void ReplicaWatch::look() {
  wanted_at_.reset();
  const auto app = scheduler_.describe(app_id_, SLIPWAY_WANT_REPLICAS);
  if (!app) return;
  if (const auto pause = on_look_(*app)) wanted_at_ = time_after(*pause);
}

}  // namespace slipway
