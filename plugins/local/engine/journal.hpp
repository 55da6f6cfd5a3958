// `events.log`, the journal of an app: one line for each change of state, and for some other
// events, such as the lease of GPUs.
//
// People read it. Commands read from it the earlier attempts and the leased GPUs, which no other
// file has (journal_reader.hpp). The helper rebuilds a damaged `state.bin` from it
// (state_rebuild.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

inline constexpr char kEventsName[] = "events.log";
/// The first line of a journal of every version is this word and the version.
inline constexpr std::string_view kEventsWord = "slipway-events ";
/// The first line of this version.
inline constexpr std::string_view kEventsVersion = "slipway-events 2";

/// The word of a line about an ended attempt after which the replica waits for its next one.
inline constexpr std::string_view kAttemptEnded = "ENDED";
/// The word of a line about the GPUs of a replica.
inline constexpr std::string_view kGpusLeased = "LEASED";

/// Appends the decimal digits of `number`.
void append_number(std::string& out, std::int64_t number);

/// Appends lines `<crc32, 8 hex digits> <sequence> <nanoseconds since the epoch> <text>\n`. The
/// checksum covers the line from the sequence to the end of the text. The sequence is that of the
/// state file at the event (StateHeader::sequence). The first line of the file is kEventsVersion.
///
/// Keeps lines in memory until flush(), which the supervisor's event loop calls once per turn. If a
/// turn has many lines, add() writes them earlier. A successor repeats the lines of a turn in which
/// its predecessor was killed. Not thread safe.
class EventLog {
 public:
  /// Opens or creates the journal in the directory `dir_fd` (borrowed). If that fails, lines are
  /// lost until a reserve() succeeds.
  explicit EventLog(int dir_fd);
  /// Adds a line about an event at `time_ns`.
  void add(std::uint64_t sequence, std::string_view text, std::int64_t time_ns);
  /// Adds a line about an event that happens now.
  void add(std::uint64_t sequence, std::string_view text);

  /// Writes the lines in memory. Returns false with errno set if that fails. These lines are then
  /// lost, because a failing journal must never stop an app. Does not report a failure of add().
  bool flush();

  /// Allocates disk space for another `bytes`, so that a disk that gets full cannot refuse them.
  /// Returns false with errno set if the disk is full or the file cannot be opened; a later call
  /// tries again. Returns true on a file system that cannot allocate space in advance.
  bool reserve(std::uint64_t bytes);
  /// Releases the reserved space that was not used. For the end of the app.
  void release();
  /// Waits until the written lines are on the disk.
  void sync();

 private:
  bool open();

  int dir_fd_;
  OwnedFd fd_;
  std::string buffer_;      // the lines for the next flush()
  std::string line_;        // the line that add() makes
  std::uint64_t size_ = 0;  // bytes of the file
  std::uint64_t room_ = 0;  // file size in bytes for which disk space is allocated
};

}  // namespace slipway::local
