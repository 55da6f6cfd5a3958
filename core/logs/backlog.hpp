// Holds the lines that exist when a log is opened, until all of them are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/logs/log_line.hpp"

namespace slipway::logs {

/// Lines of the replicas of one or more apps. Not thread safe.
class Backlog {
 public:
  using Print = std::function<void(const LogLine&)>;

  /// Keeps only the last `tail` lines of each replica, or all lines if `tail` is unset.
  explicit Backlog(std::optional<std::size_t> tail) : tail_(tail) {}

  /// Adds a line, or the next piece of the unfinished line of its stream. A line that arrives in
  /// pieces gets the place of its last piece. A line that never ends comes after the other lines of
  /// its replica.
  void add(const LogLine& line);

  /// Returns the number of bytes in all lines.
  std::size_t size() const { return size_; }

  /// Passes all lines to `print`, one replica after the other, and removes them.
  void take_by_replica(const Print& print);

  /// Does the same in the order of the lines' times. Lines of a replica keep their order: a line
  /// without a time, or with an earlier time than the line before it, gets the time of the line
  /// before it; lines in front of the first line with a time get the time of that line. Replicas
  /// without times come first. Returns whether any line has a time.
  bool take_by_time(const Print& print);

 private:
  struct HeldLine {
    TimeNs time;
    Stream stream;
    std::string text;
  };
  using Replica = std::tuple<std::uint32_t, std::string, std::int32_t>;  // app, role and number
  struct HeldLines {
    std::deque<HeldLine> lines;
    std::vector<HeldLine> unfinished;  // at most one of each stream
  };

  void keep(HeldLines& held, HeldLine line);
  void keep_unfinished();

  std::optional<std::size_t> tail_;
  std::map<Replica, HeldLines> lines_;
  std::size_t size_ = 0;
};

}  // namespace slipway::logs
