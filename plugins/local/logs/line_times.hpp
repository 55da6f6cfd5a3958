// When the bytes of a log file were written, as far as it is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway::local {

/// The values are those of SLIPWAY_STREAM_*.
enum class Stream : std::int32_t { kCombined = 0, kStdout = 1, kStderr = 2 };

/// What lies between two times, both included; none: no bound. CLOCK_REALTIME, ns.
struct TimeRange {
  std::optional<std::int64_t> since_ns;
  std::optional<std::int64_t> until_ns;
  bool bounded() const { return since_ns.has_value() || until_ns.has_value(); }
};

/// From the marks in the replica's times.bin, if there are any, its start, and the time of the last
/// change of the log file. A plain value.
class LineTimes {
 public:
  /// Bytes up to `end` that are not in the span before were written between the two times.
  struct Span {
    std::uint64_t end = 0;
    std::int64_t first_ns = 0;  // 0: not known
    std::int64_t last_ns = 0;

    /// One time for all of them: their last, if it is known to kSharpNs; else 0.
    std::int64_t time_ns() const;
  };
  /// Times that are known less exactly are not shown to anybody.
  static constexpr std::int64_t kSharpNs = 1'500'000'000;

  /// For the file `path` of `stream`, which has `size` bytes and was last changed at `changed_ns`,
  /// of a replica that first started at `started_ns` (0: not known). Never fails: a times.bin that
  /// is missing, damaged or of another version counts for nothing from there on.
  LineTimes(const std::string& path, Stream stream, std::uint64_t size, std::int64_t started_ns,
            std::int64_t changed_ns);

  /// The span of the byte at `offset`; beyond the end, the last one with `end` without limit.
  Span at(std::uint64_t offset) const;

  /// From where to where the bytes go that may have been written within `range`. Whole spans, so
  /// that nothing is missing; in between lies what the clock, when set, made look as if it did not
  /// belong there.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Part part(const TimeRange& range) const;

 private:
  std::vector<Span> spans_;  // ends ascend; the last one's is the size
};

}  // namespace slipway::local
