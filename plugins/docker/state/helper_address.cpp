#include "plugins/docker/state/helper_address.hpp"

#include <cerrno>
#include <cstddef>

#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

OwnedFd stream_socket() {
  OwnedFd out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out) throw Error(Code::kUnavailable, "no descriptor is left for the app's helper");
  return out;
}

}  // namespace

HelperAddress::HelperAddress(Purpose purpose, const std::string& app_id) {
  constexpr std::size_t kPart = 60;  // the whole name must fit into sun_path, 108 bytes
  const std::string end = app_id.size() > kPart ? app_id.substr(app_id.size() - kPart) : app_id;
  const std::string name =
      (purpose == Purpose::kClaim ? "slipway-docker-supervisor/" : "slipway-docker-readiness/") +
      end + "/" + std::to_string(crc32(app_id));
  address_.sun_family = AF_UNIX;
  name.copy(address_.sun_path + 1, sizeof address_.sun_path - 1);
  size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

OwnedFd HelperAddress::listen() const {
  OwnedFd out = stream_socket();
  if (::bind(out.get(), get(), size_) != 0 || ::listen(out.get(), SOMAXCONN) != 0) out.reset();
  return out;
}

HelperAddress::Connection HelperAddress::connect() const {
  Connection out{stream_socket(), true};
  if (::connect(out.socket.get(), get(), size_) != 0) {
    out.has_helper = errno == EAGAIN;
    out.socket.reset();
  }
  return out;
}

HelperAddress::Accepted HelperAddress::accept(int listener, int flags) {
  for (;;) {
    Accepted out{OwnedFd(::accept4(listener, nullptr, nullptr, flags))};
    if (!out.socket && (errno == EINTR || errno == ECONNABORTED)) continue;
    out.is_short =
        !out.socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    return out;
  }
}

}  // namespace slipway::docker
