// `times.bin`: the sizes of a replica's log files at certain times. LineTimes reads it.
//
// [TimesHeader][TimeMark...], in the byte order of the machine: machines that share a log
// directory have the same one. A mark covers the bytes from the ends of the mark before (0 for the
// first) to its own. Bytes behind the last mark were written after its `first_ns`. A replica whose
// output all came within one mark after its start has no file. Marks end at ends of lines, except
// in lines longer than kLongLine (line_cut.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/logs/combined_cursor.hpp"

namespace slipway::local {

/// The last character is the version.
inline constexpr char kTimesMagic[8] = {'S', 'L', 'W', 'T', 'I', 'M', 'E', '1'};

struct TimesHeader {
  char magic[8];
  std::uint64_t reserved;
};

/// The merger saw the bytes of a mark between `first_ns` (0: not known) and `last_ns`
/// (CLOCK_REALTIME). `out_end` and `err_end` are values of the CombinedCursor; their sum is an
/// offset in combined.log.
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

/// Writes the marks of the live replicas from the sizes that the merger sees. Keeps the last mark
/// of each replica in memory, and writes to a file once per mark. If that mark is lost with the
/// process, the successor treats the time of the last copy as the end of the mark. Takes 24 bytes
/// per replica. For one thread. Times are CLOCK_REALTIME in ns.
class TimeMarkWriter {
 public:
  /// `root` is borrowed; paths are relative to it.
  explicit TimeMarkWriter(int root) : root_(root) {}

  /// Records the start of a replica that has written nothing.
  void start(std::uint32_t index, std::int64_t now_ns);
  /// Continues with a replica that wrote before; its last bytes were copied at `copied_ns`.
  void resume(std::uint32_t index, std::int64_t copied_ns);
  /// Removes the file of a replica, `path`, because all bytes are copied again, perhaps in another
  /// order. Most of them were written before `now_ns`, so their mark has no `first_ns`. It ends
  /// when nothing was copied for kLongMarkNs.
  void restart(std::uint32_t index, const char* path, std::int64_t now_ns);

  /// Records that the copied bytes of a replica grew from `before` to `after`. Returns false with
  /// errno set if its file, `path`, cannot be written: the mark then grows, so that times become
  /// coarser and not wrong.
  bool grew(std::uint32_t index, const char* path, const CombinedCursor& before,
            const CombinedCursor& after, std::int64_t now_ns);

 private:
  static constexpr std::uint32_t kUnread = 0xFFFFFFFF;
  /// The last mark of a replica, which still grows.
  struct OpenMark {
    std::int64_t first_ns = 0;  // 0: not known
    std::int64_t last_ns = 0;
    std::uint32_t bytes = 0;  // of both streams, without those that began the mark
    /// Number of marks in the file, with this one; 0: there is no file yet; kUnread: not read from
    /// the file yet.
    std::uint32_t count = 0;
  };
  /// Returns the open mark of a replica.
  OpenMark& slot(std::uint32_t index);
  bool begin_next(OpenMark& mark, const char* path, const CombinedCursor& before,
                  const CombinedCursor& after, std::int64_t now_ns) const;

  int root_;
  std::vector<OpenMark> marks_;  // by replica
};

}  // namespace slipway::local
