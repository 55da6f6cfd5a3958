// Reads `events.log`: all events, for the helper that rebuilds a damaged state file, and the facts
// that only the journal has, for `status`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// Bytes; a larger journal is not read into memory.
inline constexpr std::size_t kMostJournalBytes = std::size_t{1} << 30;

/// One line of the journal, such as `replica ROLE/NUMBER WHAT pid=42 attempt=1`. The texts belong
/// to the bytes of the journal.
struct Event {
  std::uint64_t sequence = 0;
  std::int64_t time_ns = 0;  ///< since the epoch
  /// `app`, `role NAME` or `replica ROLE/NUMBER`. Of a line that only people read, such as
  /// `logs: TEXT`, the text without its last word.
  std::string_view subject;
  std::string_view what;    ///< the word after the subject
  std::string_view fields;  ///< the rest, ` pid=42 attempt=1`
  bool after_gap = false;   ///< the line before it is damaged

  /// Returns the value of the field `name`; empty if the line has no such field.
  std::string_view text(std::string_view name) const;
  /// Returns the value of the field `name`; `otherwise` if it is missing or not a number.
  std::int64_t number(std::string_view name, std::int64_t otherwise) const;
};

/// Returns the events in `bytes`, in their order. Skips damaged lines and an incomplete last line.
/// Returns no events of another version's journal. Sets `gap_at_end` to whether the last complete
/// line is damaged.
std::vector<Event> read_events(std::string_view bytes, bool& gap_at_end);

/// The facts about one replica that only the journal has.
struct ReplicaHistory {
  /// An ended attempt after which the replica waited for another one.
  struct Attempt {
    std::uint32_t number = 0;  ///< 1 is the first
    EarlierAttempt end;
  };
  /// In the order of the journal. If an attempt appears twice, because a
  /// successor repeated its line, readers use the first one.
  std::vector<Attempt> attempts;
  std::string gpus;  ///< numbers of the leased GPUs, `0,1`; empty: none
};

/// Histories by the name of the replica, `ROLE/NUMBER`. Contains only replicas that have earlier
/// attempts or GPUs.
using Histories = std::unordered_map<std::string, ReplicaHistory>;

/// Reads the histories from the journal in `dir_fd`. Skips damaged lines. Empty if the journal is
/// missing, unreadable, larger than kMostJournalBytes, or of another version.
Histories read_histories(int dir_fd);

/// Returns the number of kAttemptEnded lines in the journal `bytes`.
std::uint64_t count_ended_attempts(std::string_view bytes);

/// Throws OtherVersion if the journal in `dir_fd` has another version. Accepts a missing or damaged
/// journal.
void check_journal_version(int dir_fd);

}  // namespace slipway::local
