// Finds when the bytes of a log file were written, as far as that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway::local {

/// The values are those of SLIPWAY_STREAM_*.
enum class Stream : std::int32_t { kCombined = 0, kStdout = 1, kStderr = 2 };

/// The time between two times, both included; a missing one is no bound. CLOCK_REALTIME, ns.
struct TimeRange {
  std::optional<std::int64_t> since_ns;
  std::optional<std::int64_t> until_ns;
  bool bounded() const { return since_ns.has_value() || until_ns.has_value(); }
};

/// The start of an attempt of a replica.
struct AttemptStart {
  std::int64_t time_ns = 0;  ///< CLOCK_REALTIME
  /// The bytes that the attempts before had written to each stream (CombinedCursor).
  std::uint64_t out = 0;
  std::uint64_t err = 0;
  std::int64_t before_ns = 0;  ///< the end of the attempt before; 0: not known
};

/// The times of a log file: from the marks in the replica's times.bin, if it has any, from the
/// starts of its attempts and from the file's last change. A plain value.
class LineTimes {
 public:
  /// Bytes up to `end` that are not in the span before were written between the two times.
  struct Span {
    std::uint64_t end = 0;
    std::int64_t first_ns = 0;  // 0: not known
    std::int64_t last_ns = 0;

    /// Returns one time for all of them: their last, if it is known to kSharpNs; else 0.
    std::int64_t time_ns() const;
  };
  /// Times that are known less exactly are not shown.
  static constexpr std::int64_t kSharpNs = 1'500'000'000;

  /// Reads the times of the file `path` of `stream`, which has `size` bytes and was last changed at
  /// `changed_ns`. `starts` are those of its replica's attempts, in order, the first one first; the
  /// others may be incomplete, and all may be missing. Never fails: ignores a times.bin that is
  /// missing, of another version, or damaged from the damage on.
  LineTimes(const std::string& path, Stream stream, std::uint64_t size,
            const std::vector<AttemptStart>& starts, std::int64_t changed_ns);

  /// Returns the span of the byte at `offset`; beyond the end, the last span without a limit.
  Span at(std::uint64_t offset) const;

  /// The bytes that may have been written within a range of time, in whole spans, so that none is
  /// missing. A range that begins or ends at the start of an attempt, or between two attempts,
  /// leaves out exactly what the attempts outside it have written. If the clock was set back, bytes
  /// of other times lie between them.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Part part(const TimeRange& range) const;

 private:
  /// The start of an attempt after the first.
  struct Start {
    std::uint64_t offset = 0;  // of its first byte
    std::int64_t time_ns = 0;
    std::int64_t before_ns = 0;  // when the bytes before it had been written
  };
  void cut_spans_at_starts();
  bool is_after_all_before(const Start& start) const;
  bool is_before_all_after(const Start& start) const;

  std::vector<Span> spans_;    // ends ascend; the last one's is the size
  std::vector<Start> starts_;  // offsets ascend
};

}  // namespace slipway::local
