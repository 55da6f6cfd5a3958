// Copying stdout.log and stderr.log of a replica into its combined.log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/logs/combined_cursor.hpp"
#include "plugins/local/logs/log_limit.hpp"
#include "plugins/local/logs/stream_cuts.hpp"
#include "plugins/local/logs/time_mark_writer.hpp"

namespace slipway::local {

inline constexpr std::string_view kStdoutName = "stdout.log";
inline constexpr std::string_view kStderrName = "stderr.log";
inline constexpr std::string_view kCombinedName = "combined.log";

/// A replica's log directory, relative to the log root.
struct LogPlace {
  static constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
  const std::string* directory = nullptr;  ///< with a slash at the end; borrowed
  std::uint32_t number = kNoNumber;        ///< a last component below it, unless kNoNumber
};

/// Where the two streams of a replica end, as values of its cursor.
struct StreamSizes {
  std::uint64_t out = 0;
  std::uint64_t err = 0;
  bool operator==(const StreamSizes&) const = default;
};

/// What a copy is about. The cursor is the caller's, in shared memory: bytes are counted there
/// after they were written.
struct CopyJob {
  std::uint32_t replica = 0;
  LogPlace place;
  CombinedCursor* cursor = nullptr;
};

/// Copies whole lines of two streams into a third file, at the place that the cursor says, and does
/// what `rules` want done on the way: marks of time, and the front of long files given back. Files
/// are opened for the call alone. One thread; no call blocks on anything but the log disk. A
/// failure stops nothing: the cursor stays where it is, and error() says what happened.
class CombinedCopier {
 public:
  /// `log_root_fd` is borrowed and must outlive this.
  CombinedCopier(int log_root_fd, const LogRules& rules);

  /// The path of a file below the log root; valid until the next call of anything here.
  const char* file(const LogPlace& place, std::string_view name);
  /// Returns the cursor's values at the ends of both files. What is missing or not a regular file
  /// ends where the cursor is. A file that was truncated since the last look begins at the cursor:
  /// what was copied stays in combined.log, and what follows is copied behind it.
  StreamSizes sizes(const CopyJob& job);
  /// Whether there is an entry of that name, or one cannot know.
  bool exists(const LogPlace& place, std::string_view name);

  /// A replica starts with nothing copied.
  void start(std::uint32_t replica);

  /// Compares combined.log with the cursor's sum: a longer one (killed between a write and its
  /// store) is cut, a shorter one (somebody removed it) written anew from what is kept of both
  /// streams.
  void check(const CopyJob& job);

  /// Copies what is complete, at most about `limit` bytes of each stream, stderr first if that was
  /// written first. Returns how many bytes it copied.
  std::uint64_t copy_lines(const CopyJob& job, const StreamSizes& sizes, std::uint64_t limit,
                           bool stderr_first);

  /// Copies everything, a partial last line included, of a replica that has ended. What it left
  /// behind may still be writing: then that line is not taken apart where the beginning of a write
  /// can be seen, and stays for the next time when it does not come to an end.
  void copy_all(const CopyJob& job, const StreamSizes& sizes, bool stderr_first);

  /// Why the logs are not complete, for people: the last failure of the log disk, or the last file
  /// that was truncated. Empty if they are.
  const std::string& error() const { return error_; }

  /// Makes error() say what could not be done to a file; errno says why.
  void fail(const char* action, const LogPlace& place, std::string_view name);

 private:
  /// What one look at a stream's file says.
  struct FileLook {
    bool exists = false;
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
  };
  std::optional<StreamSizes> whole_writes(const CopyJob& job);
  FileLook look_at(const LogPlace& place, std::string_view name);
  std::uint64_t end_of(const CopyJob& job, bool is_stderr);
  bool is_rewritten(const CopyJob& job, bool is_stderr, const FileLook& look);
  void note_cut(const CopyJob& job, bool is_stderr);
  bool skip_hole(const CopyJob& job, bool is_stderr, int combined, std::uint64_t length);
  std::uint64_t data_start(const LogPlace& place, std::string_view name);
  std::uint64_t drain(const CopyJob& job, const StreamSizes& sizes, std::uint64_t limit,
                      bool stderr_first, bool last);
  std::uint64_t copy(const CopyJob& job, bool is_stderr, std::uint64_t size, std::uint64_t limit,
                     bool last);
  bool append(int combined, std::string_view bytes, std::uint64_t at);
  void follow_up(const CopyJob& job, const CombinedCursor& before);

  int root_;
  CutStreams cuts_;
  std::string path_;  // of file()
  std::string buffer_;
  std::string error_;
  std::optional<TimeMarkWriter> times_;
  std::optional<LogLimit> limit_;
};

}  // namespace slipway::local
