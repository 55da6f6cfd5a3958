#include "plugins/docker/state/readiness_report.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <chrono>

#include "plugins/docker/engine/connection.hpp"
#include "plugins/docker/state/helper_address.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

/// Limited, because a helper answers between its requests to the engine, which may hang.
constexpr std::chrono::seconds kAnswerLimit{1};

constexpr char kEnd = '.';  // an answer without it is incomplete

}  // namespace

std::string ReadyContainers::text() const {
  std::string out;
  for (const std::string& id : ids_) out += id;
  return out + kEnd;
}

ReadyContainers ReadyContainers::of_text(std::string_view text) {
  ReadyContainers out;
  for (; text.size() >= kIdLength; text.remove_prefix(kIdLength))
    out.ids_.emplace(text.substr(0, kIdLength));
  return out;
}

ReadinessReport::ReadinessReport(const std::string& app_id)
    : listener_(HelperAddress(HelperAddress::Purpose::kReadiness, app_id).listen()) {}

/// The kernel buffers an answer with up to about 15,000 containers until the asking process reads
/// it. A longer answer is cut off, and that process ignores it.
bool ReadinessReport::answer(const ReadyContainers& ready) {
  const std::string text = ready.text();
  for (;;) {
    const HelperAddress::Accepted asker =
        HelperAddress::accept(listener_.get(), SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (!asker.socket) return !asker.is_short;
    ::send(asker.socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
  }
}

std::optional<ReadyContainers> ask_ready_containers(const std::string& app_id, const Call& call) {
  const OwnedFd helper = HelperAddress(HelperAddress::Purpose::kReadiness, app_id).connect().socket;
  if (!helper) return std::nullopt;
  std::string text;
  try {
    const Patience patience(call, kAnswerLimit);
    for (;;) {
      pollfd fds[2] = {{helper.get(), POLLIN, 0}, {patience.cancel_fd(), POLLIN, 0}};
      ::poll(fds, 2, patience.left_ms());
      if (fds[0].revents == 0) continue;
      char part[4096];
      const ssize_t count = ::recv(helper.get(), part, sizeof part, MSG_DONTWAIT);
      if (count <= 0) break;
      text.append(part, static_cast<std::size_t>(count));
    }
  } catch (const Error& error) {
    if (error.code() == Code::kCancelled) throw;  // any other error: the time is up
  }
  if (text.empty() || text.back() != kEnd) return std::nullopt;
  return ReadyContainers::of_text(text);
}

}  // namespace slipway::docker
