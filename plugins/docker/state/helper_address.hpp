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
  enum class Purpose {
    kClaim,      ///< the claim to be the app's helper (helper_presence.hpp)
    kReadiness,  ///< the report of ready containers (readiness_report.hpp)
  };

  HelperAddress(Purpose purpose, const std::string& app_id);

  /// Returns a listening socket, or none if another process has the address. Throws Error
  /// kUnavailable if no descriptor is left, as connect() does.
  OwnedFd listen() const;

  struct Connection {
    OwnedFd socket;  ///< connected to the helper, or none
    /// False if the app has no helper. If the helper's queue of new connections is full, this is
    /// true and `socket` is none.
    bool has_helper = false;
  };
  Connection connect() const;

  struct Accepted {
    OwnedFd socket;  ///< none: nothing more can be accepted now
    /// Whether connections may wait that this process or the machine has no descriptor or memory
    /// for. The listening socket then stays readable, so a loop must not poll it again at once.
    bool is_short = false;
  };
  /// Takes the next connection of a listening socket. `flags` are those of accept4().
  static Accepted accept(int listener, int flags);

 private:
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }

  sockaddr_un address_{};
  socklen_t size_ = 0;
};

}  // namespace slipway::docker
