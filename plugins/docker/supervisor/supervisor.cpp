#include "plugins/docker/supervisor/supervisor.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/scheduler/helper_link.hpp"
#include "plugins/docker/scheduler/launch.hpp"
#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "sdk/support/end_command.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

/// Time within which the engine carries out the last requests of a command that has died.
constexpr std::chrono::seconds kLastRequests{10};
constexpr std::chrono::seconds kLongestPause{30};  // after a failure
/// Time without accepting connections after no descriptor was left for one.
constexpr std::chrono::seconds kShortage{1};
/// The helper ends if the engine does not answer for this long.
constexpr std::chrono::hours kOutage{1};
constexpr std::chrono::hours kLongestWait{1};  // without an event
constexpr bool kForce = true;                  // remove_app() also removes containers that run

EndedApp ended_app(const std::vector<Container>& all) {
  constexpr bool kWithReplicas = true;
  const Description app = description_of(all, kWithReplicas);
  EndedApp out;
  out.app_id = app.app_id;
  out.name = app.name;
  out.scheduler = all.front().label(kSchedulerLabel);
  out.session = all.front().label(kSessionLabel);
  out.state = app.state;
  out.message = app.msg;
  out.submitted_ns = app.submitted_at.value_or(0);
  out.started_ns = app.started_at.value_or(0);
  out.finished_ns = app.finished_at.value_or(0);
  return out;
}

}  // namespace

Supervisor::Supervisor(const Engine& engine, std::string app_id, HelperStart start,
                       SubmitterFiles files, HelperClaim claim, OwnedFd owner, OwnedFd link)
    : engine_(engine),
      app_id_(std::move(app_id)),
      files_(std::move(files)),
      claim_(std::move(claim)),
      readiness_(app_id_),
      owner_(std::move(owner), files_.owner() == SubmitterFiles::Owner::kEnded),
      link_(std::move(link)),
      events_(engine_, app_id_, EngineEvents::Of::kApp, Call()),
      actions_(engine_),
      probes_(engine_),
      start_(start),
      phase_(start == HelperStart::kLaunch ? Phase::kLaunching : Phase::kRunning) {
  if (start == HelperStart::kRecover) link_.reset();
}

void Supervisor::run() {
  if (link_) ::send(link_.get(), &kHelperReady, 1, MSG_NOSIGNAL);
  while (phase_ != Phase::kNothingLeft) {
    try {
      act();
      pause_ = std::chrono::seconds(0);
      failing_since_.reset();
    } catch (const Error&) {
      // The helper stays after any error, because the app needs it when the engine answers again,
      // or no longer refuses the request.
      failed_at_ = Clock::now();
      if (!failing_since_) failing_since_ = failed_at_;
      if (failed_at_ - *failing_since_ > kOutage && !engine_answers()) return;
      pause_ = std::clamp(pause_ * 2, std::chrono::seconds(1), kLongestPause);
    }
    if (phase_ != Phase::kNothingLeft) wait();
  }
}

bool Supervisor::engine_answers() const {
  HttpRequest ping;
  ping.target = "/_ping";
  try {
    engine_.ask(ping, Call());
    return true;
  } catch (const Error&) {
    return false;
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
      [[fallthrough]];  // removes what the engine has created meanwhile
    case Phase::kTakingBack:
      remove_app(engine_, app_id_, kForce, Call());
      files_.forget();
      if (phase_ == Phase::kTakingBack) quiet_until_ = Clock::now() + kLastRequests;
      phase_ = Phase::kAlmostGone;
  }
}

void Supervisor::look() {
  next_look_ = Clock::time_point::max();
  const std::vector<Container> all = containers();
  const std::optional<AppRules> rules = rules_of(all);
  const bool is_needed = rules || owner_.fd() >= 0 || owner_.has_ended();
  if (all.empty() || !is_needed) {
    files_.forget();
    phase_ = Phase::kNothingLeft;
    return;
  }
  const AppProgress progress(rules, all);
  if (is_terminal(progress.state())) {
    end(all);
  } else if (rules) {
    supervise(*rules, progress);
  } else if (owner_.has_ended()) {
    Decision decision;
    for (const ReplicaProgress& replica : progress.replicas()) {
      if (!replica.is_final()) decision.stops.push_back({&replica.current(), Mark::kCancelled});
    }
    actions_.carry_out(decision);
    next_look_ = Clock::now() + Actions::kRepeat;
  }
}

/// Starts the command of `on_end`, and removes the files.
void Supervisor::end(const std::vector<Container>& all) {
  phase_ = Phase::kNothingLeft;
  // This removes the command before it is started, so it runs at most once.
  std::optional<EndCommand> command = files_.take_end_command();
  if (command) {
    const OwnedFd log = files_.open_end_log();
    try {
      start_end_command(ended_app(all), std::move(*command), log.get());
    } catch (const Error& error) {
      write_all(log.get(), error.message() + "\n");
    }
  }
  files_.forget();
}

void Supervisor::supervise(const AppRules& rules, const AppProgress& progress) {
  const auto now_ns = [](auto clock) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock.time_since_epoch()).count();
  };
  const std::int64_t wall = now_ns(std::chrono::system_clock::now());
  const std::int64_t steady = now_ns(Clock::now());
  Observed observed;
  observed.age = [&](const Container& container, std::int64_t since) {
    return ages_.age(container.id, since, wall, steady);
  };
  probes_.update(rules, progress);
  observed.is_ready = [&](const Container& container) {
    // A successor treats a container that succeeded before the successor could probe it as ready.
    const bool was_never_seen = start_ == HelperStart::kRecover && !probes_.has_seen(container.id);
    return probes_.ready().contains(container.id) ||
           (was_never_seen && container.status == "exited" && container.exit_code == 0);
  };
  observed.time_since_first_probe = [&](const Container& container) {
    return std::int64_t{probes_.time_since_first_probe(container.id).count()};
  };
  observed.is_cancelled = owner_.has_ended();
  const Decision decision = decide(rules, progress, observed);
  actions_.carry_out(decision);
  std::chrono::nanoseconds wait = decision.stops.empty() ? kLongestWait : Actions::kRepeat;
  wait = std::min(wait, std::chrono::nanoseconds(decision.wait_ns));
  next_look_ = Clock::now() + wait;
}

/// Returns the app's containers, inspected. Inspects a container that has ended only once, because
/// its facts no longer change.
std::vector<Container> Supervisor::containers() {
  std::vector<Container> out = list_containers(engine_, app_id_, Call());
  inspect(engine_, out, Call(), [&](const Container& one) {
    return one.status != "exited" || ended_.find(one.id) == ended_.end();
  });
  for (Container& one : out) {
    const auto known = ended_.find(one.id);
    if (one.is_inspected) {
      if (one.status == "exited") ended_[one.id] = one;
    } else if (known != ended_.end()) {
      const Container listed = one;
      one = known->second;
      one.name = listed.name;
      one.mark = listed.mark;
    }
  }
  return out;
}

/// Waits until act() is due.
void Supervisor::wait() {
  // The indexes below are those of this list.
  std::vector<pollfd> fds = {{events_.fd(), POLLIN, 0},
                             {link_.get(), POLLIN, 0},
                             {owner_.fd(), POLLIN, 0},
                             {claim_.fd(), POLLIN, 0},
                             {readiness_.fd(), POLLIN, 0}};
  const std::size_t own = fds.size();
  // After a failure, an event must not shorten the pause: the next try would fail as well.
  if (pause_ > pause_.zero()) fds[0].fd = -1;
  // During a submission, only the link counts. The end of the owner is read when the app runs.
  if (phase_ != Phase::kRunning) fds[2].fd = -1;
  probes_.add_to(fds);
  bool has_news = false;
  while (!has_news) {
    const bool accepts = accept_again_at_ <= Clock::now();
    fds[3].fd = accepts ? claim_.fd() : -1;
    fds[4].fd = accepts ? readiness_.fd() : -1;
    ::poll(fds.data(), fds.size(), wait_ms());
    has_news = probes_.advance() || fds[0].revents != 0 || fds[1].revents != 0 ||
               fds[2].revents != 0 || (wait_limit() <= Clock::now());
    const bool all_admitted = fds[3].revents == 0 || claim_.admit_watchers();
    const bool all_answered = fds[4].revents == 0 || readiness_.answer(probes_.ready());
    if (!all_admitted || !all_answered) accept_again_at_ = Clock::now() + kShortage;
    fds.resize(own);
    probes_.add_to(fds);
  }
  if (fds[0].revents != 0) events_.drain();
  if (fds[1].revents != 0) read_link();
  if (fds[2].revents != 0) owner_.read([this] { files_.give_up(); });
}

/// Returns the time at which act() is due without an event.
Supervisor::Clock::time_point Supervisor::wait_limit() const {
  if (pause_ > pause_.zero()) return failed_at_ + pause_;
  if (phase_ == Phase::kAlmostGone) return quiet_until_;
  return phase_ == Phase::kRunning ? next_look_ : Clock::time_point::max();
}

/// Returns the milliseconds until wait_limit(), until a probe is due, or until connections are
/// accepted again; -1 for never.
int Supervisor::wait_ms() const {
  using std::chrono::milliseconds;
  const Clock::time_point now = Clock::now();
  Clock::time_point until = std::min(wait_limit(), probes_.due());
  if (accept_again_at_ > now) until = std::min(until, accept_again_at_);
  if (until == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(until - now).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, milliseconds(kLongestWait).count()));
}

void Supervisor::read_link() {
  char byte = 0;
  const ssize_t count = ::recv(link_.get(), &byte, 1, MSG_DONTWAIT);
  if (count < 0) return;
  phase_ = count == 1 && byte == kLaunched ? Phase::kRunning : Phase::kTakingBack;
  link_.reset();
}

}  // namespace slipway::docker
