// Checks without waiting whether a port accepts TCP connections.
#pragma once

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// The state of a connection.
enum class Connection {
  kUp,       ///< the port accepted it
  kDown,     ///< it could not be opened; the errno says why
  kOpening,  ///< the socket becomes writable when the outcome is known
};

/// Begins to connect to `port` of `address`, a numeric IPv4 or IPv6 address. Never blocks. Sets
/// `socket` with kOpening, and `error` with kDown.
Connection begin_connection(const char* address, std::uint16_t port, OwnedFd& socket, int& error);

/// Returns the outcome, kUp or kDown, for a socket that has become writable or failed. Sets `error`
/// with kDown.
Connection end_connection(int socket, int& error);

}  // namespace slipway
