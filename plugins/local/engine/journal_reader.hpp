// Reads `events.log`: all of its events for the helper that rebuilds a damaged state file, and for
// `status` what only the journal has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// The parts of a line such as `replica NAME WHAT pid=… attempt=…`. A field that the line does not
/// have is 0.
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

/// What the journal knows about one replica and the state file does not.
struct ReplicaHistory {
  struct Attempt {
    std::uint32_t number = 0;  ///< 1 is the first
    AttemptStatus end;
  };
  /// The attempts that were followed by another, in the order of the journal. A successor may have
  /// repeated an attempt; then the first entry counts.
  std::vector<Attempt> attempts;
  std::string gpus;  ///< numbers of the leased GPUs, `0,1`; empty: none
};

/// By the name of the replica, `ROLE/NUMBER`. Replicas without such events are missing.
using Histories = std::unordered_map<std::string, ReplicaHistory>;

/// Reads the histories from the journal in `dir_fd`. Skips damaged lines; a missing journal has no
/// histories.
Histories read_histories(int dir_fd);

/// Returns the number of the lines in the journal `bytes` about an attempt that was followed by
/// another.
std::uint64_t count_ended_attempts(std::string_view bytes);

/// Throws OtherVersion when the journal in `dir_fd` is of another version. A missing or damaged one
/// passes.
void check_journal_version(int dir_fd);

}  // namespace slipway::local
