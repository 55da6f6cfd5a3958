// The addresses of an app's helper: abstract sockets, which vanish with its process.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// One address. Addresses belong to the network namespace of the machine, and are open to all of
/// its users.
class HelperAddress {
 public:
  enum class Of {
    kClaim,      ///< helper_presence.hpp
    kReadiness,  ///< readiness_report.hpp
  };

  HelperAddress(Of of, const std::string& app_id);

  /// Returns a listening socket, or none if another process has the address.
  OwnedFd listen() const;
  /// Returns a socket that is connected to the helper, or none if the app has no helper.
  OwnedFd connect() const;

 private:
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }

  sockaddr_un address_{};
  socklen_t size_ = 0;
};

}  // namespace slipway::docker
