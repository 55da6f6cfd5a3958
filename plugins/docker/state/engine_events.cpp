#include "plugins/docker/state/engine_events.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <utility>

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/state/helper_presence.hpp"

namespace slipway::docker {

namespace {

constexpr std::chrono::seconds kLongestPause{30};

HttpRequest events_request(const std::string& app_id) {
  namespace json = boost::json;
  const json::object filters = {{"type", json::array{"container"}},
                                {"label", json::array{std::string(kAppIdLabel) + "=" + app_id}},
                                {"event", json::array{"create", "start", "die", "oom", "pause",
                                                      "unpause", "rename", "destroy"}}};
  HttpRequest out;
  out.target = "/events?filters=" + url_text(json::serialize(filters));
  return out;
}

}  // namespace

EngineEvents::EngineEvents(Engine engine, std::string app_id, Of scope, const Call& call)
    : engine_(std::move(engine)),
      app_id_(std::move(app_id)),
      scope_(scope),
      request_(events_request(app_id_)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      poll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!timer_ || !poll_) throw Error(Code::kUnavailable, "no descriptor is left for waiting");
  watch(timer_.get());
  connect(call);
  connect_to_helper();
}

/// Connects to the app's helper. If that fails, tries again later: if the app has no helper, the
/// host, which describes the app after each change, starts a successor meanwhile.
void EngineEvents::connect_to_helper() {
  if (scope_ == Of::kApp || helper_) return;
  helper_ = watch_helper(app_id_);
  if (!helper_) return retry_later();
  watch(helper_.get());
  pause_ = std::chrono::seconds(1);
}

void EngineEvents::watch(int fd) const {
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
    throw Error(Code::kUnavailable, "no memory is left for waiting");
}

void EngineEvents::connect(const Call& call) {
  stream_ = engine_.open(request_, call);
  if (!stream_->head().ok()) {
    throw engine_error("the Docker engine reports no events",
                       stream_->finish(Patience(call, kSilenceLimit)));
  }
  watch(stream_->fd());
  pause_ = std::chrono::seconds(1);
}

void EngineEvents::retry_later() {
  itimerspec time{};
  time.it_value.tv_sec = pause_.count();
  ::timerfd_settime(timer_.get(), 0, &time, nullptr);
  pause_ = std::min(pause_ * 2, kLongestPause);
}

bool EngineEvents::drain() {
  std::uint64_t ticks = 0;
  const bool is_due = ::read(timer_.get(), &ticks, sizeof ticks) > 0;
  char ignored = 0;
  const bool has_helper_ended = helper_ && ::recv(helper_.get(), &ignored, 1, MSG_DONTWAIT) == 0;
  // Closing the descriptor removes it from poll_.
  if (has_helper_ended) helper_.reset();
  try {
    if (!stream_ && is_due) connect(Call());
    if (is_due) connect_to_helper();
    if (has_helper_ended) retry_later();
    std::string events;
    while (stream_) {
      const std::size_t before = events.size();
      if (!stream_->read(events)) {
        stream_.reset();
        retry_later();
      } else if (events.size() == before) {
        break;
      }
    }
  } catch (const Error&) {
    stream_.reset();
    retry_later();
  }
  return true;
}

}  // namespace slipway::docker
