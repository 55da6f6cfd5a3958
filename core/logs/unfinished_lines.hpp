// Holds the lines that replicas have begun and not ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/logs/log_line.hpp"

namespace slipway::logs {

struct UnfinishedLine {
  std::string text;           ///< the part of the line that was not printed or dropped yet
  TimeNs time;                ///< time of the last bytes of `text`
  bool is_selected = false;   ///< an earlier part was printed or matches, so the rest is printed
  std::uint64_t changed = 0;  ///< number that LogOutput gave the last change; greater: later
};

/// Returns the newest state of a line with a progress bar: the text after the last carriage return
/// that other text follows. Without such a carriage return, returns the whole line. Leaves out
/// carriage returns and newlines at the end.
std::string_view newest_state(std::string_view line);

/// Holds at most one line for each stream of each replica. Not thread safe.
class UnfinishedLines {
 public:
  /// Returns the unfinished line of the stream that `line` names, or nullptr.
  UnfinishedLine* find(const LogLine& line);
  /// Adds an empty unfinished line for the stream that `line` names, which has none. The reference
  /// is valid until erase().
  UnfinishedLine& add(const LogLine& line);
  /// Removes the unfinished line of the stream.
  void erase(const LogLine& line);

  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }

  /// Returns the `most` lines that changed last, in the order of their apps, roles and replicas.
  /// Each line is valid until it changes or is erased.
  std::vector<LogLine> newest(std::size_t most) const;

 private:
  // App, role, replica and stream.
  using Key = std::tuple<std::uint32_t, std::string, std::int32_t, Stream>;
  static Key key_of(const LogLine& line);

  std::map<Key, UnfinishedLine> lines_;
};

}  // namespace slipway::logs
