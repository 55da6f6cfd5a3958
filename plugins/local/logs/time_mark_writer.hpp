// Writes `times.bin` of the live replicas, from what the merger sees anyway.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/logs/combined_cursor.hpp"
#include "plugins/local/logs/time_marks.hpp"

namespace slipway::local {

/// Keeps the last mark of each replica in memory; a file is touched once per mark. When that mark
/// is lost with the process, its successor takes the time of the last copy for its end. 24 bytes
/// per replica. One thread; times are CLOCK_REALTIME in ns.
class TimeMarkWriter {
 public:
  /// `root` is borrowed; paths are relative to it.
  explicit TimeMarkWriter(int root) : root_(root) {}

  /// A replica that has written nothing starts now.
  void start(std::uint32_t index, std::int64_t now_ns);
  /// A replica goes on that had written before; its last bytes were copied at `copied_ns`.
  void go_on(std::uint32_t index, std::int64_t copied_ns);

  /// What was copied of a started replica went from `before` to `after` in this look. False with
  /// errno set when its file, `path`, cannot be written: the mark then goes on, so that times
  /// become coarser, not wrong.
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
