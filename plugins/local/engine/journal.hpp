// `events.log`, the journal of an app: one line for each change of state.
//
// People read it. Commands read from it the attempts that were followed by another and the leased
// GPUs, which are nowhere else (journal_reader.hpp). When `state.bin` is damaged, the helper
// rebuilds it from the journal (state_rebuild.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

inline constexpr char kEventsName[] = "events.log";
/// The first line of the journal: this word and the version, in every version.
inline constexpr std::string_view kEventsWord = "slipway-events ";
inline constexpr std::string_view kEventsVersion = "slipway-events 2";

/// The word of a line about an attempt that ended and was followed by another.
inline constexpr std::string_view kAttemptEnded = "ENDED";
/// The word of a line about the GPUs of a replica.
inline constexpr std::string_view kGpusLeased = "LEASED";

/// Appends `number` in decimal digits.
void append_number(std::string& out, std::int64_t number);

/// Appends lines `<crc32, 8 hex digits> <sequence> <nanoseconds since the epoch> <text>\n`. The
/// checksum covers all that follows it and its space, without the newline. The first line of the
/// file is kEventsVersion.
///
/// Lines are buffered until flush(), which the event loop calls once per turn; a successor repeats
/// the lines of a turn in which its predecessor was killed. Not thread safe.
class EventLog {
 public:
  /// Opens the journal in the directory `dir_fd` (borrowed), or creates it. Where that fails, lines
  /// are lost until a reserve() succeeds.
  explicit EventLog(int dir_fd);
  /// Records what happened at `time_ns`, or just now.
  void add(std::uint64_t sequence, std::string_view text, std::int64_t time_ns);
  void add(std::uint64_t sequence, std::string_view text);

  /// Writes the buffered lines. Returns false with errno set when the file does not take them; then
  /// they are lost, because the journal must never stop an app. A caller that has to know that its
  /// line is in the file checks the result.
  bool flush();

  /// Allocates space on the disk for another `bytes`, so that a full disk cannot refuse them.
  /// Returns false with errno set when the disk is full or the file cannot be opened; a later call
  /// tries again. A file system that cannot allocate beyond the end of a file passes.
  bool reserve(std::uint64_t bytes);
  /// Gives the space back that was reserved and not used. For the end of the app.
  void release();
  /// Waits until what was written is on the disk, as far as the file system can tell.
  void sync();

 private:
  bool open();

  int dir_fd_;
  OwnedFd fd_;
  std::string buffer_;
  std::string line_;
  std::uint64_t size_ = 0;  // of the file
  std::uint64_t room_ = 0;  // allocated: the file may grow to this size
};

}  // namespace slipway::local
