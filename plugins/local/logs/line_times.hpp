// Finds when the bytes of a log file were written, as far as that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway::local {

/// A stream of a replica. The values are those of SLIPWAY_STREAM_*.
enum class Stream : std::int32_t { kCombined = 0, kStdout = 1, kStderr = 2 };

/// The range between two times (CLOCK_REALTIME), both included. A missing time is no bound.
struct TimeRange {
  std::optional<std::int64_t> since_ns;
  std::optional<std::int64_t> until_ns;
  bool bounded() const { return since_ns.has_value() || until_ns.has_value(); }
};

/// The start of an attempt of a replica.
struct AttemptStart {
  std::int64_t time_ns = 0;  ///< CLOCK_REALTIME
  /// The bytes that all earlier attempts had written to each stream (CombinedCursor).
  std::uint64_t out = 0;
  std::uint64_t err = 0;
  std::int64_t previous_end_ns = 0;  ///< the end of the attempt before; 0: not known
};

/// The times of a log file: from the marks in the replica's times.bin, if it has any, from the
/// starts of its attempts and from the file's last change. A plain value.
class LineTimes {
 public:
  /// The bytes from the end of the span before up to `end` were written between `first_ns` and
  /// `last_ns` (CLOCK_REALTIME).
  struct Span {
    std::uint64_t end = 0;
    std::int64_t first_ns = 0;  // 0: not known
    std::int64_t last_ns = 0;

    /// Returns `last_ns` as the time of all bytes of the span; 0 if it lasts longer than kSharpNs.
    std::int64_t time_ns() const;
  };
  /// Longest span whose bytes have a time that is shown; a little longer than a mark (kLongMarkNs).
  static constexpr std::int64_t kSharpNs = 1'500'000'000;

  /// Reads the times of the file `path` of `stream`, which has `size` bytes and was last changed at
  /// `changed_ns`. `starts` are the starts of its replica's attempts, in order. Any but the first
  /// may be left out, and the list may be empty. Never fails: ignores a times.bin that is missing
  /// or of another version, and the part of it that follows damage.
  LineTimes(const std::string& path, Stream stream, std::uint64_t size,
            const std::vector<AttemptStart>& starts, std::int64_t changed_ns);

  /// Returns the span of the byte at `offset`; beyond the end, the last span without a limit.
  Span at(std::uint64_t offset) const;

  /// The bytes that may have been written within a range of time, in whole spans, so that none is
  /// missing; `begin` equals `end` if there are none. A range that begins or ends at the start of
  /// an attempt, or between two attempts, leaves out exactly what the attempts outside it have
  /// written. If the clock was set back, bytes of other times lie between them.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Returns the part of the file for a range of time.
  Part part(const TimeRange& range) const;

 private:
  /// The start of an attempt after the first.
  struct Start {
    std::uint64_t offset = 0;  // of its first byte
    std::int64_t time_ns = 0;
    std::int64_t previous_end_ns = 0;  // when the bytes before it had been written
  };
  void cut_spans_at_starts();
  bool is_after_all_before(const Start& start) const;
  bool is_before_all_after(const Start& start) const;

  std::vector<Span> spans_;    // ends ascend; the end of the last span is the size of the file
  std::vector<Start> starts_;  // offsets ascend
};

}  // namespace slipway::local
