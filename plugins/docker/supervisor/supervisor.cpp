#include "plugins/docker/supervisor/supervisor.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plugins/docker/scheduler/app_orders.hpp"
#include "plugins/docker/scheduler/helper_link.hpp"
#include "plugins/docker/scheduler/launch.hpp"
#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

/// Time in which the engine carries out the last requests of a command that has died.
constexpr std::chrono::seconds kLastRequests{10};
constexpr std::chrono::seconds kLongestPause{30};
/// Time after which an engine that does not answer is regarded as gone for good.
constexpr std::chrono::hours kOutage{1};
/// An engine that is killed forgets the orders that it has not carried out.
constexpr std::chrono::seconds kRepeat{30};

}  // namespace

Supervisor::Supervisor(const Engine& engine, std::string app_id, OwnedFd owner, OwnedFd link)
    : engine_(engine),
      app_id_(std::move(app_id)),
      owner_(std::move(owner)),
      link_(std::move(link)),
      events_(engine_, app_id_, Call()) {}

void Supervisor::run() {
  ::send(link_.get(), &kHelperReady, 1, MSG_NOSIGNAL);
  while (phase_ != Phase::kNothingLeft) {
    try {
      act();
      pause_ = std::chrono::seconds(0);
      last_answer_ = Clock::now();
    } catch (const Error&) {
      // Whatever the reason, the app must not be left alone while its engine may come back.
      if (Clock::now() - last_answer_ > kOutage) return;
      pause_ = std::clamp(pause_ * 2, std::chrono::seconds(1), kLongestPause);
    }
    if (phase_ != Phase::kNothingLeft) wait();
  }
}

void Supervisor::act() {
  switch (phase_) {
    case Phase::kLaunching:
    case Phase::kNothingLeft: return;
    case Phase::kRunning: return look();
    case Phase::kAlmostGone:
      if (Clock::now() >= quiet_until_) {
        phase_ = Phase::kNothingLeft;
        return;
      }
      [[fallthrough]];
    case Phase::kTakingBack:
      remove_app(engine_, app_id_, true, Call());
      if (phase_ == Phase::kTakingBack) quiet_until_ = Clock::now() + kLastRequests;
      phase_ = Phase::kAlmostGone;
  }
}

void Supervisor::look() {
  const std::vector<Container> all = containers();
  const bool is_mine = owner_.fd() >= 0 || owner_.has_ended();
  if (all.empty() || is_terminal(app_state(all)) || !is_mine) {
    phase_ = Phase::kNothingLeft;
  } else if (owner_.has_ended() && Clock::now() >= next_order_) {
    cancel_containers(engine_, all, {}, Call());
    next_order_ = Clock::now() + kRepeat;
  }
}

std::vector<Container> Supervisor::containers() const {
  std::vector<Container> out = list_containers(engine_, app_id_, Call());
  inspect(engine_, out, Call(), [](const Container& one) { return one.is_live(); });
  return out;
}

void Supervisor::wait() {
  pollfd fds[3] = {{events_.fd(), POLLIN, 0}, {link_.get(), POLLIN, 0}, {owner_.fd(), POLLIN, 0}};
  // After a failure, the events would only repeat it.
  if (pause_ > pause_.zero()) fds[0].fd = -1;
  // The owner's end must not undo a submission that goes on without it.
  if (phase_ != Phase::kRunning) fds[2].fd = -1;
  ::poll(fds, 3, wait_ms());
  if (fds[0].revents != 0) events_.drain();
  if (fds[1].revents != 0) read_link();
  if (fds[2].revents != 0) owner_.read();
}

/// Returns the milliseconds after which this must act without an event, or -1.
int Supervisor::wait_ms() const {
  using std::chrono::milliseconds;
  if (pause_ > pause_.zero()) return static_cast<int>(milliseconds(pause_).count());
  Clock::time_point until;
  if (phase_ == Phase::kAlmostGone) {
    until = quiet_until_;
  } else if (phase_ == Phase::kRunning && owner_.has_ended()) {
    until = next_order_;
  } else {
    return -1;
  }
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void Supervisor::read_link() {
  char byte = 0;
  const ssize_t count = ::recv(link_.get(), &byte, 1, MSG_DONTWAIT);
  if (count < 0) return;
  phase_ = count == 1 && byte == kLaunched ? Phase::kRunning : Phase::kTakingBack;
  link_.reset();
}

}  // namespace slipway::docker
