// Whether something accepts TCP connections, asked without waiting.
#pragma once

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

enum class Connection {
  kUp,       ///< it was accepted
  kDown,     ///< it failed: see the errno
  kOpening,  ///< the socket becomes writable when it is known
};

/// Begins to connect to `port` of `address`, a numeric IPv4 or IPv6 one. Never blocks. `socket` is
/// empty unless kOpening; `error` is set with kDown.
Connection begin_connection(const char* address, std::uint16_t port, OwnedFd& socket, int& error);

/// What became of a socket that has become writable, or failed. Never kOpening.
Connection end_connection(int socket, int& error);

}  // namespace slipway::local
