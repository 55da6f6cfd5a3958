#include "plugins/docker/engine/connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sdk/support/time_left.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

constexpr const char* kUsualSocket = "/var/run/docker.sock";

Error no_connection(const std::string& socket, int error) {
  const std::string what = "cannot connect to the Docker engine at " + socket + ": ";
  switch (error) {
    case EACCES:
    case EPERM:
      return {Code::kDenied, what + std::strerror(error),
              "only root and members of the socket's group may use the engine: ask for "
              "`usermod -aG docker USER`, then log in again"};
    case EAGAIN:
      return {Code::kTemporary, what + "it accepts no more connections",
              "the engine is busy or hangs; try again later"};
    case ENOENT:
    case ECONNREFUSED:
      return {
          Code::kUnavailable,
          what + (error == ENOENT ? "there is no such socket" : "nothing listens there"),
          "start the engine (`systemctl start docker`), or name its socket in DOCKER_HOST, which "
          "the plug-in's setting `socket` overrides"};
    default: return {Code::kUnavailable, what + std::strerror(error)};
  }
}

}  // namespace

std::string engine_socket(const std::string& configured) {
  constexpr std::string_view kUnix = "unix://";
  const char* variable = std::getenv("DOCKER_HOST");
  std::string address = configured;
  if (address.empty() && variable != nullptr) address = variable;
  if (address.substr(0, kUnix.size()) == kUnix) address.erase(0, kUnix.size());
  if (address.find("://") != std::string::npos) {
    throw Error(
        Code::kUnimplemented,
        "the Docker engine at " + address + " cannot be used: Slipway talks to unix sockets",
        std::string("run slipway on the engine's machine, or ") +
            (configured.empty() ? "set DOCKER_HOST=unix:///PATH"
                                : "set the plug-in's setting `socket` to unix:///PATH"));
  }
  if (!address.empty()) return address;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && ::access(kUsualSocket, F_OK) != 0) {
    const std::string rootless = std::string(runtime) + "/docker.sock";
    if (::access(rootless.c_str(), F_OK) == 0) return rootless;
  }
  return kUsualSocket;
}

int Patience::left_ms() const {
  call_->check();
  using std::chrono::milliseconds;
  const auto quiet = std::chrono::ceil<milliseconds>(quiet_until_ - Clock::now());
  if (quiet <= milliseconds(0)) {
    throw Error(Code::kTemporary,
                "the Docker engine did not answer within " +
                    std::to_string(std::chrono::ceil<std::chrono::seconds>(silence_).count()) +
                    " s",
                "it hangs or is busy; try again later");
  }
  constexpr milliseconds kLongest{3'600'000};  // poll() takes an int; the caller polls again
  const milliseconds left = time_left(*call_, std::min(quiet, kLongest));
  if (left == milliseconds(0))
    throw Error(Code::kTimeout, "the Docker engine did not answer before the time limit");
  return static_cast<int>(left.count());
}

Connection::Connection(const std::string& socket)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (!fd_)
    throw Error(Code::kUnavailable, std::string("cannot create a socket: ") + std::strerror(errno));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path) {
    throw Error(Code::kUnavailable, "the path of the Docker engine's socket is too long: " + socket,
                "a unix socket's path has at most 107 bytes");
  }
  std::copy(socket.begin(), socket.end(), address.sun_path);
  if (::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw no_connection(socket, errno);
}

short Connection::events() const {
  return static_cast<short>(unsent_.empty() ? POLLIN : POLLIN | POLLOUT);
}

void Connection::write() {
  while (!unsent_.empty()) {
    const ssize_t count = ::send(fd_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      if (errno != EAGAIN) unsent_.clear();
      return;
    }
    unsent_.erase(0, static_cast<std::size_t>(count));
  }
}

bool Connection::read(std::string& bytes) {
  std::array<char, 65536> part;
  for (;;) {
    const ssize_t count = ::recv(fd_.get(), part.data(), part.size(), 0);
    if (count > 0) {
      bytes.append(part.data(), static_cast<std::size_t>(count));
      return true;
    }
    if (count < 0 && errno == EINTR) continue;
    return count < 0 && errno == EAGAIN;
  }
}

}  // namespace slipway::docker
