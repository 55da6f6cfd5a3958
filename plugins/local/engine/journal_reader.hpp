// `events.log` read back: the journal from which a state that was damaged is made again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::local {

/// `replica NAME WHAT pid=… attempt=…` and the like, taken apart. Fields that a line has not are 0.
struct Event {
  std::uint64_t sequence = 0;
  std::int64_t time_ns = 0;  ///< since the epoch
  std::string_view subject;  ///< `app`, `role NAME` or `replica ROLE/NUMBER`
  std::string_view what;     ///< the word in capitals behind it
  std::string_view fields;   ///< the rest, ` pid=42 attempt=1`
  bool after_gap = false;    ///< the line before it cannot be read

  /// The value of ` NAME=` in the fields, empty when there is none.
  std::string_view text(std::string_view name) const;
  std::int64_t number(std::string_view name, std::int64_t otherwise) const;
};

/// The events in `bytes` (borrowed by the result), in their order. Skips lines that are torn or
/// damaged; a journal of another version has no events. `gap_at_end`: the last whole line cannot be
/// read.
std::vector<Event> read_events(std::string_view bytes, bool& gap_at_end);

/// Throws OtherVersion when the journal in `dir_fd` is of another version. A missing or damaged one
/// passes.
void check_journal_version(int dir_fd);

}  // namespace slipway::local
