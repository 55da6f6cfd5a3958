#include "plugins/local/supervisor/starting/start_pause.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kLongestPauseMs = 1000;

}  // namespace

void StartPause::begin() {
  until_ns_ = boottime_ns() + next_ms_ * 1'000'000;
  next_ms_ = std::min(next_ms_ * 2, kLongestPauseMs);
}

void StartPause::begin(const std::string& shortage) {
  begin();
  // Names the shortage at the fifth pause in a row: most shortages end sooner.
  if (next_ms_ < kLongestPauseMs || has_message_) return;
  has_message_ = true;
  files_.set_message(std::string(kWaiting) + shortage);
  // changed() publishes the message, and returns the sequence number for the line.
  files_.events().add(files_.changed(), "app WAITING " + shortage);
}

bool StartPause::reserve_attempts() {
  if (files_.reserve_attempts()) return true;
  begin(std::string("no room in the journal for another attempt: ") + std::strerror(errno));
  return false;
}

void StartPause::end_if_due(std::int64_t now_ns) {
  if (until_ns_ <= now_ns) end();
}

void StartPause::start_succeeded() {
  next_ms_ = kFirstMs;
  clear_message();
}

void StartPause::clear_message() {
  if (!has_message_) return;
  has_message_ = false;
  // Another message may have replaced it.
  if (!files_.state().message().starts_with(kWaiting)) return;
  files_.set_message("");
  files_.changed();  // publishes the message
}

}  // namespace slipway::local
