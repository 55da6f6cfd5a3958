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

HelperAddress::HelperAddress(Of of, const std::string& app_id) {
  constexpr std::size_t kPart = 60;
  const std::string start = app_id.size() > kPart ? app_id.substr(app_id.size() - kPart) : app_id;
  const std::string name =
      (of == Of::kClaim ? "slipway-docker-supervisor/" : "slipway-docker-readiness/") + start +
      "/" + std::to_string(crc32(app_id));
  address_.sun_family = AF_UNIX;
  name.copy(address_.sun_path + 1, sizeof address_.sun_path - 1);
  size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

OwnedFd HelperAddress::listen() const {
  OwnedFd out = stream_socket();
  if (::bind(out.get(), get(), size_) != 0 || ::listen(out.get(), SOMAXCONN) != 0) out.reset();
  return out;
}

OwnedFd HelperAddress::connect() const {
  OwnedFd out = stream_socket();
  // EAGAIN: the helper exists, but its queue of new connections is full.
  if (::connect(out.get(), get(), size_) != 0 && errno != EAGAIN) out.reset();
  return out;
}

}  // namespace slipway::docker
