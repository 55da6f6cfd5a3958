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

/// The times of a log file: from the marks in the replica's times.bin, if it has any, from its
/// start and from the file's last change. A plain value.
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
  /// `changed_ns`. Its replica first started at `started_ns` (0: not known). Never fails: ignores a
  /// times.bin that is missing, of another version, or damaged from the damage on.
  LineTimes(const std::string& path, Stream stream, std::uint64_t size, std::int64_t started_ns,
            std::int64_t changed_ns);

  /// Returns the span of the byte at `offset`; beyond the end, the last span without a limit.
  Span at(std::uint64_t offset) const;

  /// The bytes that may have been written within a range of time, in whole spans, so that none is
  /// missing. If the clock was set back, bytes of other times lie between them.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Part part(const TimeRange& range) const;

 private:
  std::vector<Span> spans_;  // ends ascend; the last one's is the size
};

}  // namespace slipway::local
