// Copies stdout.log and stderr.log of a replica into its combined.log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/logs/combined_cursor.hpp"
#include "plugins/local/logs/log_limit.hpp"
#include "plugins/local/logs/stream_cuts.hpp"
#include "plugins/local/logs/time_marks.hpp"

namespace slipway::local {

/// A replica's log directory, relative to the log root. Its number is separate, so that all
/// replicas of a role share one string.
struct LogPlace {
  static constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
  const std::string* directory = nullptr;  ///< with a slash at the end; borrowed
  std::uint32_t number = kNoNumber;        ///< appended to `directory`; kNoNumber: none is
};

/// The ends of the two streams of a replica, as values of its cursor.
struct StreamSizes {
  std::uint64_t out = 0;
  std::uint64_t err = 0;
  bool operator==(const StreamSizes&) const = default;
};

/// One replica to copy. The cursor belongs to the caller and lies in shared memory: it counts bytes
/// after they were written.
struct CopyJob {
  std::uint32_t replica = 0;
  LogPlace place;
  CombinedCursor* cursor = nullptr;
  /// A signal may have ended a writer since the last look. Such a signal can stop a write after the
  /// kernel changed the file's time, so a changed time does not prove that the content changed.
  bool ignores_time = false;
};

/// Copies lines and states of progress bars (whole_states(), line_cut.hpp) of stdout.log and
/// stderr.log into combined.log, behind the bytes that the cursor counts. As far as `rules` ask for
/// it, also writes time marks and gives the front of long files back to the disk. Files are open
/// only during a call. For one thread. A call blocks on nothing but the log disk. After a failure
/// the cursor stays where it is, and error() reports the failure.
class CombinedCopier {
 public:
  /// `log_root_fd` is borrowed and must outlive this.
  CombinedCopier(int log_root_fd, const LogRules& rules);

  /// Returns the path of the file `name` of a replica, relative to the log root. The text is valid
  /// until the next call.
  const char* file(const LogPlace& place, std::string_view name);
  /// Returns the cursor's values at the ends of both files. A file that is missing or not regular
  /// ends at the cursor. A file that was truncated since the last look begins at the cursor: the
  /// bytes that were copied stay in combined.log, and the new ones are copied behind them.
  StreamSizes sizes(const CopyJob& job);
  /// Returns false only if it is certain that the directory has no such name.
  bool exists(const LogPlace& place, std::string_view name);

  /// Records that a replica starts, of which nothing was copied.
  void start(std::uint32_t replica);

  /// Compares the size of combined.log with the cursor's sum. Truncates a longer file: a supervisor
  /// was killed between a write and the store of the cursor. Empties a shorter file, which another
  /// process truncated or removed, and sets the cursor so that both streams are copied again, as
  /// far as `rules` have kept them. Removes the time marks: the lines may have another order now.
  void check(const CopyJob& job);

  /// Copies the complete lines up to `sizes`, at most about `limit` bytes of each stream, with the
  /// lines of stderr first if `stderr_first`. Returns the number of bytes copied.
  std::uint64_t copy_lines(const CopyJob& job, const StreamSizes& sizes, std::uint64_t limit,
                           bool stderr_first);

  /// Returns whether the last line of a stream with bytes to copy is a progress bar: a carriage
  /// return is near its end.
  bool ends_with_progress_bar(const CopyJob& job, const StreamSizes& sizes);

  /// Copies everything up to `sizes`, also the beginning of a line that has no end yet, but at most
  /// about `limit` bytes of each stream. Returns the number of bytes copied.
  std::uint64_t copy_unfinished(const CopyJob& job, const StreamSizes& sizes, std::uint64_t limit);

  /// Copies everything of a replica that has ended, also a partial last line. A process that the
  /// replica left behind may still be writing, and the file may show only the first pages of its
  /// write. So copies a partial line only at a moment without a write; if it finds none, leaves the
  /// line to the next call.
  void copy_all(const CopyJob& job, const StreamSizes& sizes, bool stderr_first);

  /// Returns whether both streams have a mark (truncation_mark.hpp).
  bool has_marks(const LogPlace& place);

  /// Makes error() report the streams of a replica that have lost their marks, unless the bytes
  /// before the truncation were copied.
  void check_marks(const CopyJob& job);

  /// Returns the reason, for people, why the logs may be incomplete: the last failure of the log
  /// disk, or the last file that was truncated. Empty if they are complete.
  const std::string& error() const { return error_; }

  /// Makes error() report that `action` failed on a file, with the reason in errno.
  void fail(const char* action, const LogPlace& place, std::string_view name);

 private:
  /// The state of a stream's file.
  struct FileLook {
    bool exists = false;
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;  // time of the last change, CLOCK_REALTIME
  };
  std::optional<StreamSizes> whole_writes(const CopyJob& job);
  FileLook look_at(const LogPlace& place, std::string_view name);
  std::uint64_t end_of(const CopyJob& job, bool is_stderr);
  bool is_rewritten(const CopyJob& job, bool is_stderr, const FileLook& look);
  void note_cut(const CopyJob& job, bool is_stderr);
  std::string truncated(const LogPlace& place, bool is_stderr, const char* consequence);
  bool skip_hole(const CopyJob& job, bool is_stderr, int combined, std::uint64_t length,
                 std::string& tail);
  std::uint64_t data_start(const LogPlace& place, std::string_view name);
  /// What happens to a last line without an end.
  enum class PartialLine { kLeave, kCopy };
  /// Copies both streams.
  std::uint64_t drain(const CopyJob& job, const StreamSizes& sizes, std::uint64_t limit,
                      bool stderr_first, PartialLine partial_line);
  std::uint64_t copy(const CopyJob& job, bool is_stderr, std::uint64_t size, std::uint64_t limit,
                     PartialLine partial_line);
  bool append(int combined, std::string_view bytes, std::uint64_t at);
  void follow_up(const CopyJob& job, const CombinedCursor& before);

  int root_;  // descriptor of the log root
  CutStreams cuts_;
  std::string path_;                // the result of file()
  std::unique_ptr<char[]> buffer_;  // made when it is first needed, and not cleared
  std::string error_;
  std::optional<TimeMarkWriter> times_;
  std::optional<LogLimit> limit_;
};

}  // namespace slipway::local
