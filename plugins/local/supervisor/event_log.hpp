// `events.log`: one line per change of state, for people and for post-mortems. Nothing reads it
// back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Appends lines `<crc32, 8 hex digits> <sequence> <nanoseconds since the epoch> <text>\n`, the
/// checksum over all that follows it and its space, without the newline. The first line of the file
/// is `slipway-events 1`.
///
/// Lines are buffered until flush(), which the event loop calls once per turn; a killed supervisor
/// loses the lines of one turn, never state. Not synced to disk. A full disk loses lines silently:
/// the log must never stop an app.
class EventLog {
 public:
  explicit EventLog(int dir_fd);
  void add(std::uint64_t sequence, std::string_view text);
  void flush();

 private:
  OwnedFd fd_;
  std::string buffer_;
  std::string line_;
};

}  // namespace slipway::local
