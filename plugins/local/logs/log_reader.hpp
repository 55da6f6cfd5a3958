// Reads the logs of a set of replicas as one sequence of chunks, for `slipway log` and for the
// foreground run. Needs only the files and no supervisor, and never slows a replica down.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/logs/line_times.hpp"
#include "plugins/local/logs/missing_files.hpp"
#include "plugins/local/logs/watch_set.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// One file to read. `path` is absolute, or relative to a working directory that does not change.
/// The file may not exist yet. `ended` means that no process writes to it any more, not even a
/// restarted replica.
struct LogSource {
  std::string role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  std::string path;
  bool ended = false;
  std::vector<AttemptStart> starts = {};  // of its replica's attempts, as LineTimes takes them
  /// The only user whose files are read; none: files of any user. Root sets it to read the logs of
  /// another user, who could put a link to a file of root in their place.
  std::optional<std::uint32_t> owner = std::nullopt;
};

/// Consecutive bytes of one source, exactly as written, valid during the call only. A chunk is one
/// or more complete lines. It lacks the final newline at the end of the log, and if a line takes
/// several chunks. Lines longer than kLongLine (line_cut.hpp) always do; with `follow` also the
/// lines of a progress bar, and lines that were begun kLinePatience ago. `time_ns` is the time of
/// the last byte (CLOCK_REALTIME) as far as LineTimes knows it, else 0; if two spans of LineTimes
/// share a line, the time of its start; of bytes that were written while the reader followed, the
/// time of the read.
struct LogChunk {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  std::int64_t time_ns = 0;
  std::string_view bytes;
};

/// Reads every byte of its sources once.
///
/// Without `follow` it delivers one source after the other, each up to its size at its turn.
/// With `follow` it delivers the lines of all sources as they are written, within a few ms, and
/// lines without an end within little more than kLinePatience, until app_ended() or until every
/// source is `ended`. Then it delivers the rest source by source, also partial last lines.
///
/// Bytes that were certainly written outside `range` are left out. With `follow` only the start of
/// `range` limits the bytes: to stop at its end, call app_ended() then.
///
/// A stdout.log or stderr.log that became shorter than the delivered bytes is read from its start
/// again. If the front of a file was given back to the disk (log_limit.hpp), its source starts with
/// the first whole line behind it.
///
/// Thread rule: one thread calls next() and watch(); any thread, and the callbacks, may call
/// cancel() and app_ended(). The reader must outlive these calls. It has at most kOpenFiles + 4
/// descriptors, for any number of sources, and does not wake while nothing is written, unless a
/// file has no watch.
class LogReader {
 public:
  /// Files that are kept open between two looks.
  static constexpr std::size_t kOpenFiles = 64;

  /// The result of next().
  enum class Next {
    kChunks,  ///< the sink was called at least once; call again
    /// The time is over, and every complete line that was written before the call was delivered,
    /// except those of the last 100 ms in files without a watch.
    kTimeout,
    kEnd,        ///< everything was delivered; final
    kCancelled,  ///< cancel() was called; final
  };
  using Sink = std::function<void(const LogChunk&)>;

  /// Opens no log file yet. Throws Error(kUnavailable) if the kernel gives no descriptor for
  /// cancel(). It is not an error if the kernel gives no inotify instance or no more watches: the
  /// reader then looks at those files every 100 ms.
  LogReader(std::vector<LogSource> sources, bool follow, TimeRange range = {});
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Waits for bytes, passes them to `sink`, and returns after a few MiB at most. `timeout` bounds
  /// the wait; a negative one is no bound. Rethrows an exception of the sink, and delivers its
  /// chunk again in the next call. Throws Error(kUnavailable or kDenied) with the path if a file
  /// exists but cannot be read; the next call continues without that source.
  Next next(std::chrono::milliseconds timeout, const Sink& sink);

  /// Makes the present and every later next() return kCancelled.
  void cancel() noexcept;

  /// Makes next() deliver the present content of the files and then return kEnd, because no process
  /// writes to them any more.
  void app_ended() noexcept;

  /// Makes next() call `on_wake` whenever `fd` (borrowed, -1: none) is readable, so that a waiting
  /// caller notices the end of the app, for example on a control socket. The descriptor is
  /// level-triggered: `on_wake` must read it empty, replace it, or call app_ended() or cancel().
  /// next() does not call it while it has chunks to deliver.
  void watch(int fd, std::function<void()> on_wake);

 private:
  using Clock = std::chrono::steady_clock;
  /// The progress in a source.
  struct Position {
    std::uint64_t offset = 0;   // of the first byte that was not delivered yet
    std::uint64_t old_end = 0;  // the end of the file at the first look
    bool begun = false;         // offset and old_end are set
    bool in_line = false;       // skips the rest of a line whose beginning is gone
    bool queued = false;        // on queue_
    bool unfinished = false;    // on unfinished_
    bool overdue = false;       // the beginning of a line has waited long enough
    bool polled = false;        // without a watch: checked every 100 ms
    bool waiting = false;       // missing_files_ has it
    bool done = false;          // delivered to its end, or given up
  };
  /// A place in open_files_.
  struct OpenFile {
    std::uint32_t source = 0;  // whose file it is
    OwnedFd fd;
  };
  /// A source whose last line is not complete.
  struct Unfinished {
    std::uint32_t source = 0;
    std::uint64_t offset = 0;  // where the line begins
    Clock::time_point due;
  };
  /// What happens to a last line without an end.
  enum class PartialLine { kAwait, kDeliver };
  /// The result of deliver().
  struct Delivery {
    std::uint64_t bytes = 0;  // that the sink got
    std::uint64_t end = 0;    // offset up to which the file was read
    bool at_end = false;      // the file had no more bytes
  };

  Next read_out(const Sink& sink);
  bool look_at_queue(const Sink& sink);
  std::uint64_t look(std::uint32_t index, const Sink& sink);
  Delivery deliver(std::uint32_t index, int fd, std::uint64_t end, std::uint64_t limit,
                   PartialLine partial_line, const Sink& sink);
  void begin(std::uint32_t index, int fd);
  const LineTimes& times(std::uint32_t index, int fd);
  void restart(std::uint32_t index);
  std::size_t skip_hole(Position& position, int fd, std::string_view bytes);
  void hand_over(std::uint32_t index, int fd, std::string_view bytes, const Sink& sink);
  void await_rest(std::uint32_t index);
  void pass_unfinished(Clock::time_point now);
  void watch_file(std::uint32_t index, int fd, std::uint64_t seen);
  void await_file(std::uint32_t index);

  void enqueue(std::uint32_t index);
  void set_polled(std::uint32_t index, bool polled);
  void set_done(std::uint32_t index);
  void read_watches();
  bool wait(Clock::time_point deadline);

  int open_file(std::uint32_t index);
  void close_file(std::uint32_t index);
  [[noreturn]] void give_up(std::uint32_t index, int error);

  const std::vector<LogSource> sources_;
  const bool follow_;
  const TimeRange range_;
  std::vector<Position> positions_;  // by source
  WakeEvent wake_;
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> app_ended_{false};
  int user_fd_ = -1;  // of watch()
  std::function<void()> on_wake_;

  // For read_out(): at the end, or without follow.
  std::uint32_t final_index_ = 0;  // the source whose turn it is
  std::uint64_t final_size_ = 0;   // size of the source when its turn came
  bool final_started_ = false;     // final_size_ is set

  // For reading all sources as they grow, with follow.
  WatchSet watches_;
  MissingFiles missing_files_{watches_};
  std::size_t live_ = 0;                  // sources that are not done
  std::vector<std::uint32_t> queue_;      // sources to look at, the longest waiting first
  std::vector<std::uint32_t> pass_;       // the part of the queue that is being read ...
  std::size_t pass_next_ = 0;             // ... from here
  std::chrono::nanoseconds pass_time_{};  // that the pass has taken so far
  bool pass_left_old_bytes_ = false;      // the pass has not delivered a source up to its old_end
  std::deque<Unfinished> unfinished_;     // the longest waiting first
  std::size_t polled_count_ = 0;
  bool watch_refused_ = false;     // in the last 100 ms: no other source asks for a watch
  Clock::time_point next_pass_{};  // earliest start of the next pass
  Clock::time_point next_poll_{};
  std::vector<OpenFile> open_files_;  // source i at i modulo the size
  std::unique_ptr<char[]> buffer_;    // most of it stays untouched, so it is not cleared
  std::optional<LineTimes> times_;    // of the source that was read last
  std::uint32_t times_source_ = 0;    // that source
};

}  // namespace slipway::local
