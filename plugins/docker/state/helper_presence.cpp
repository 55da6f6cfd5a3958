#include "plugins/docker/state/helper_presence.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

/// The address of an app's helper, which is in no file system.
class HelperAddress {
 public:
  explicit HelperAddress(const std::string& app_id) {
    constexpr std::size_t kPart = 60;
    const std::string start = app_id.size() > kPart ? app_id.substr(app_id.size() - kPart) : app_id;
    const std::string name =
        "slipway-docker-supervisor/" + start + "/" + std::to_string(crc32(app_id));
    address_.sun_family = AF_UNIX;
    name.copy(address_.sun_path + 1, sizeof address_.sun_path - 1);
    size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t size() const { return size_; }

 private:
  sockaddr_un address_{};
  socklen_t size_ = 0;
};

OwnedFd stream_socket() {
  OwnedFd out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out) throw Error(Code::kUnavailable, "no descriptor is left for the app's helper");
  return out;
}

bool has_gone(const OwnedFd& watcher) {
  pollfd fd{watcher.get(), POLLIN, 0};
  return ::poll(&fd, 1, 0) > 0;
}

}  // namespace

HelperClaim::HelperClaim(const std::string& app_id) : listener_(stream_socket()) {
  const HelperAddress address(app_id);
  if (::bind(listener_.get(), address.get(), address.size()) != 0 ||
      ::listen(listener_.get(), SOMAXCONN) != 0)
    listener_.reset();
}

void HelperClaim::admit_watchers() {
  watchers_.erase(std::remove_if(watchers_.begin(), watchers_.end(), &has_gone), watchers_.end());
  for (;;) {
    OwnedFd watcher(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!watcher) return;
    watchers_.push_back(std::move(watcher));
  }
}

OwnedFd watch_helper(const std::string& app_id) {
  OwnedFd out = stream_socket();
  const HelperAddress address(app_id);
  // EAGAIN: it has more watchers than it could admit yet.
  if (::connect(out.get(), address.get(), address.size()) != 0 && errno != EAGAIN) out.reset();
  return out;
}

}  // namespace slipway::docker
