// `times.bin` of a replica: when its log files had grown to which size.
//
// [TimesHeader][TimeMark...], host byte order: the record never leaves the machine. A mark covers
// the bytes from the ends of the mark before (0 for the first) to its own. What follows the last
// mark was written from its `first_ns` on. A replica that wrote within one mark alone, counted from
// its start, has no file. Marks end at ends of lines, but for lines longer than kLongLine
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

/// The bytes were seen between the two times (CLOCK_REALTIME, ns). `first_ns` is 0 when it is not
/// known. The sum of the two ends is that of combined.log.
struct TimeMark {
  std::int64_t first_ns;
  std::int64_t last_ns;
  std::uint64_t out_end;
  std::uint64_t err_end;
};
static_assert(sizeof(TimesHeader) == 16 && sizeof(TimeMark) == 32);

/// A mark is as long as this, or as kMarkNs when it has kMarkBytes by then: the marks of a replica
/// take 32 bytes a second, or a sixteenth of what it writes.
inline constexpr std::int64_t kLongMarkNs = 1'000'000'000;
inline constexpr std::int64_t kMarkNs = 100'000'000;
inline constexpr std::uint32_t kMarkBytes = 512;

}  // namespace slipway::local
