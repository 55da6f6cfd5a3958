// The lines that exist when a log is opened, held until all of them are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/logs/log_line.hpp"

namespace slipway::logs {

/// Not thread safe.
class Backlog {
 public:
  using Print = std::function<void(const LogLine&)>;

  /// Keeps only the last `tail` lines of each replica; all of them without a value.
  explicit Backlog(std::optional<std::size_t> tail) : tail_(tail) {}

  void add(const LogLine& line);

  /// Returns the bytes of the lines that it holds.
  std::size_t size() const { return size_; }

  /// Passes on the lines of one replica after the other, and holds none after that.
  void take_by_replica(const Print& print);

  /// Like take_by_replica(), but the lines of all replicas come in the order of their times. Lines
  /// of a replica keep their order: a line without a time, or with a time before that of the line
  /// above it, counts as written at that line's time. Returns whether any line has a time.
  bool take_by_time(const Print& print);

 private:
  struct Held {
    TimeNs time;
    Stream stream;
    std::string text;
  };
  using Replica = std::tuple<std::uint32_t, std::string, std::int32_t>;  // app, role and number

  std::optional<std::size_t> tail_;
  std::map<Replica, std::deque<Held>> lines_;
  std::size_t size_ = 0;
};

}  // namespace slipway::logs
