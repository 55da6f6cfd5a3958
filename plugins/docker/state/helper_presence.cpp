#include "plugins/docker/state/helper_presence.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "plugins/docker/state/helper_address.hpp"

namespace slipway::docker {

namespace {

/// Returns whether the watching process has closed its connection.
bool has_gone(const OwnedFd& watcher) {
  pollfd fd{watcher.get(), POLLIN, 0};
  return ::poll(&fd, 1, 0) > 0;
}

}  // namespace

HelperClaim::HelperClaim(const std::string& app_id)
    : listener_(HelperAddress(HelperAddress::Purpose::kClaim, app_id).listen()) {}

bool HelperClaim::admit_watchers() {
  watchers_.erase(std::remove_if(watchers_.begin(), watchers_.end(), &has_gone), watchers_.end());
  for (;;) {
    HelperAddress::Accepted next = HelperAddress::accept(listener_.get(), SOCK_CLOEXEC);
    if (!next.socket) return !next.is_short;
    watchers_.push_back(std::move(next.socket));
  }
}

OwnedFd watch_helper(const std::string& app_id) {
  return HelperAddress(HelperAddress::Purpose::kClaim, app_id).connect().socket;
}

bool has_helper(const std::string& app_id) {
  return HelperAddress(HelperAddress::Purpose::kClaim, app_id).connect().has_helper;
}

}  // namespace slipway::docker
