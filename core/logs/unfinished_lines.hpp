// The lines that replicas have begun and not ended, while their logs are followed.
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
  std::string text;           ///< what was not printed yet
  TimeNs time;                ///< of its last bytes
  bool is_begun = false;      ///< a part of the line was printed
  std::uint64_t changed = 0;  ///< the greater, the later its last bytes came
};

/// Returns the newest state of a line with a progress bar: what follows its last carriage return,
/// except those at its end. Without a carriage return, the line without its newline.
std::string_view newest_state(std::string_view line);

/// At most one line for each stream of each replica. Not thread safe.
class UnfinishedLines {
 public:
  /// Returns the unfinished line of the stream that `line` names, or nullptr.
  UnfinishedLine* find(const LogLine& line);
  /// Returns the new unfinished line of a stream that has none. It stays where it is until erase().
  UnfinishedLine& add(const LogLine& line);
  void erase(const LogLine& line);

  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }

  /// Returns the `most` lines that changed last, in the order of their apps, roles and replicas.
  /// They are valid until the next change.
  std::vector<LogLine> newest(std::size_t most) const;

 private:
  using Key = std::tuple<std::uint32_t, std::string, std::int32_t, Stream>;  // app, role, replica
  static Key key_of(const LogLine& line);

  std::map<Key, UnfinishedLine> lines_;
};

}  // namespace slipway::logs
