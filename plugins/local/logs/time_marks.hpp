// The format of `times.bin`: the sizes of a replica's log files at certain times.
//
// [TimesHeader][TimeMark...], host byte order: the record never leaves the machine. A mark covers
// the bytes from the ends of the mark before (0 for the first) to its own. Bytes behind the last
// mark were written after its `first_ns`. A replica that wrote within only one mark, counted from
// its start, has no file. Marks end at ends of lines, except in lines longer than kLongLine
// (line_cut.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace slipway::local {

inline constexpr char kTimesName[] = "times.bin";
/// The last character is the version.
inline constexpr char kTimesMagic[8] = {'S', 'L', 'W', 'T', 'I', 'M', 'E', '1'};

struct TimesHeader {
  char magic[8];
  std::uint64_t reserved;
};

/// The bytes were seen between the two times (CLOCK_REALTIME, ns). `first_ns` is 0 if it is not
/// known. The sum of the two ends is an offset in combined.log.
struct TimeMark {
  std::int64_t first_ns;
  std::int64_t last_ns;
  std::uint64_t out_end;
  std::uint64_t err_end;
};
static_assert(sizeof(TimesHeader) == 16 && sizeof(TimeMark) == 32);

/// A mark lasts kLongMarkNs, or kMarkNs if it has kMarkBytes by then: the marks of a replica take
/// 32 bytes a second, or a sixteenth of the bytes that it writes.
inline constexpr std::int64_t kLongMarkNs = 1'000'000'000;
inline constexpr std::int64_t kMarkNs = 100'000'000;
inline constexpr std::uint32_t kMarkBytes = 512;

}  // namespace slipway::local
