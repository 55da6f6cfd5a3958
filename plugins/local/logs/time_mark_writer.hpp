// Writes `times.bin` of the live replicas, from the sizes that the merger sees.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/logs/combined_cursor.hpp"
#include "plugins/local/logs/time_marks.hpp"

namespace slipway::local {

/// Keeps the last mark of each replica in memory, and writes to a file once per mark. If that mark
/// is lost with the process, its successor treats the time of the last copy as its end. Takes 24
/// bytes per replica. For one thread. Times are CLOCK_REALTIME in ns.
class TimeMarkWriter {
 public:
  /// `root` is borrowed; paths are relative to it.
  explicit TimeMarkWriter(int root) : root_(root) {}

  /// Records that a replica which has written nothing starts.
  void start(std::uint32_t index, std::int64_t now_ns);
  /// Records that a replica continues which has written before; its last bytes were copied at
  /// `copied_ns`.
  void go_on(std::uint32_t index, std::int64_t copied_ns);

  /// Records that the copied bytes of a replica grew from `before` to `after`. Returns false with
  /// errno set if its file, `path`, cannot be written: the mark then grows, so that times become
  /// coarser and not wrong.
  bool grew(std::uint32_t index, const char* path, const CombinedCursor& before,
            const CombinedCursor& after, std::int64_t now_ns);

 private:
  static constexpr std::uint32_t kUnread = 0xFFFFFFFF;
  struct OpenMark {
    std::int64_t first_ns = 0;
    std::int64_t last_ns = 0;
    std::uint32_t bytes = 0;  // at least so many
    std::uint32_t count = 0;  // marks in the file, this one included; kUnread: look there
  };
  OpenMark& slot(std::uint32_t index);
  bool begin_next(OpenMark& mark, const char* path, const CombinedCursor& before,
                  const CombinedCursor& after, std::int64_t now_ns) const;

  int root_;
  std::vector<OpenMark> marks_;
};

}  // namespace slipway::local
