// `events.log`, the journal of an app: one line per change of state. People read it, and when
// `state.bin` is damaged it is made anew from this (state_rebuild.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

inline constexpr char kEventsName[] = "events.log";
/// The first line of the journal: this word and the version, in every version.
inline constexpr std::string_view kEventsWord = "slipway-events ";
inline constexpr std::string_view kEventsVersion = "slipway-events 1";

/// Appends `number` in decimal digits.
void append_number(std::string& out, std::int64_t number);

/// Appends lines `<crc32, 8 hex digits> <sequence> <nanoseconds since the epoch> <text>\n`, the
/// checksum over all that follows it and its space, without the newline. The first line of the file
/// is kEventsVersion.
///
/// Lines are buffered until flush(), which the event loop calls once per turn; the lines of a turn
/// in which a supervisor is killed are written by its successor, who tells again how far everything
/// has got. Not synced to disk. A full disk loses lines silently: the log must never stop an app.
class EventLog {
 public:
  explicit EventLog(int dir_fd);
  /// Something that happened at `time_ns`, or just now.
  void add(std::uint64_t sequence, std::string_view text, std::int64_t time_ns);
  void add(std::uint64_t sequence, std::string_view text);
  void flush();

 private:
  OwnedFd fd_;
  std::string buffer_;
  std::string line_;
};

}  // namespace slipway::local
