// The logs of a set of replicas as one sequence of chunks, for `slipway log` and for the foreground
// run.
//
// Works on the files alone: no supervisor is needed, and a reader can't slow a replica down.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/logs/line_times.hpp"
#include "plugins/local/logs/missing_files.hpp"
#include "plugins/local/logs/watch_set.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// One file to read. `path` is absolute, or relative to a working directory that does not change.
/// The file may not exist yet. `ended`: nobody writes to it any more, not even a restarted replica.
struct LogSource {
  std::string role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  std::string path;
  bool ended = false;
  std::int64_t started_ns = 0;  // CLOCK_REALTIME, when its replica first started; 0: not known
  /// The only user whose files are read; nothing: any. Root reads the logs of another user so, as
  /// that user could put a link to a file of root's in their place.
  std::optional<std::uint32_t> owner = std::nullopt;
};

/// Consecutive bytes of one source, exactly as written, valid during the call only. A chunk is one
/// or more complete lines; it lacks the final newline only at the end of the log, and when a line
/// is longer than kLongLine (line_cut.hpp), which comes in several chunks. `time_ns` is
/// when the last of them was written (CLOCK_REALTIME), as far as LineTimes knows, else 0; of what
/// came while it was followed, when it was read.
struct LogChunk {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  std::int64_t time_ns = 0;
  std::string_view bytes;
};

/// Reads every byte of its sources once.
///
/// Without `follow` the sources come one after the other, each up to the size it has when its turn
/// comes. With `follow` their lines come merged as they are written (within a few ms), until
/// app_ended() or until every source is `ended`; then what is left, partial last lines included,
/// source by source.
///
/// `range` leaves out what was certainly written outside of it. With `follow` its end counts for
/// what is there at the start alone: who wants to stop later calls app_ended() then.
///
/// A stdout.log or stderr.log that became shorter than what was delivered is read from its
/// beginning again.
///
/// Where the front of a file was given back to the disk (log_limit.hpp), its source starts with the
/// next line behind.
///
/// Thread rule: one thread calls next() and watch(); cancel() and app_ended() may come from any
/// thread and from inside the callbacks. A reader must outlive all of them. At most kOpenFiles + 4
/// descriptors, whatever the number of sources. Nothing wakes the reader while nothing is written.
class LogReader {
 public:
  /// Files that are kept open between two looks.
  static constexpr std::size_t kOpenFiles = 64;

  enum class Next {
    kChunks,     ///< the sink was called at least once; call again
    kTimeout,    ///< nothing came within the time
    kEnd,        ///< everything was delivered; so it stays
    kCancelled,  ///< cancel() was called; so it stays
  };
  using Sink = std::function<void(const LogChunk&)>;

  /// Opens no log file yet. Throws Error(kUnavailable) when the kernel gives no descriptor for
  /// cancel(). It is not an error if it gives no inotify instance or no more watches: those files
  /// are then looked at every 100 ms.
  LogReader(std::vector<LogSource> sources, bool follow, TimeRange range = {});
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Waits for bytes, gives them to `sink` and returns after a few MiB at most. `timeout` bounds
  /// the waiting, negative is for ever. An exception of the sink passes through; the chunk it was
  /// given comes again with the next call. Throws Error(kUnavailable or kDenied) when a file exists
  /// but can't be read, with the path; that source is given up and the next call goes on with the
  /// others.
  Next next(std::chrono::milliseconds timeout, const Sink& sink);

  /// Ends the present and every later next() with kCancelled.
  void cancel() noexcept;

  /// Nobody writes any more: what the files hold now is delivered, then kEnd.
  void app_ended() noexcept;

  /// Makes next() call `on_wake` whenever `fd` (borrowed, -1: none) is readable, so that the caller
  /// notices the end of the app, say on a control socket, while it waits here. `on_wake` must read
  /// `fd` empty, or change it, or call app_ended() or cancel(): the descriptor is level-triggered.
  /// It is not called while there are chunks to deliver without waiting.
  void watch(int fd, std::function<void()> on_wake);

 private:
  using Clock = std::chrono::steady_clock;
  struct Position {
    std::uint64_t offset = 0;   // delivered so far
    std::uint64_t old_end = 0;  // where what was there at the first look ends
    bool begun = false;         // old_end is set
    bool in_line = false;       // the rest of a line whose beginning is gone is left out
    bool queued = false;        // on queue_
    bool polled = false;        // without a watch: looked at every 100 ms
    bool waiting = false;       // missing_files_ has it
    bool done = false;          // delivered to its end, or given up
  };
  struct OpenFile {
    std::uint32_t source = 0;
    OwnedFd fd;
  };
  struct Delivery {
    std::uint64_t bytes = 0;
    std::uint64_t end = 0;  // how far the file was seen
    bool at_end = false;    // nothing lay beyond
  };

  Next read_out(const Sink& sink);
  bool look_at_queue(const Sink& sink);
  std::uint64_t look(std::uint32_t index, const Sink& sink);
  Delivery deliver(std::uint32_t index, int fd, std::uint64_t size, std::uint64_t limit, bool last,
                   const Sink& sink);
  void begin(std::uint32_t index, int fd);
  const LineTimes& times(std::uint32_t index, int fd);
  void restart(std::uint32_t index);
  std::size_t skip_hole(Position& position, int fd, std::string_view bytes);
  void hand_over(std::uint32_t index, int fd, std::string_view bytes, const Sink& sink);
  void watch_file(std::uint32_t index, int fd, std::uint64_t seen);
  void await_file(std::uint32_t index);

  void enqueue(std::uint32_t index);
  void set_polled(std::uint32_t index, bool polled);
  void set_done(std::uint32_t index);
  void read_watches();
  bool wait(Clock::time_point deadline);
  void wake() noexcept;

  int open_file(std::uint32_t index);
  void close_file(std::uint32_t index);
  [[noreturn]] void give_up(std::uint32_t index, int error);

  const std::vector<LogSource> sources_;
  const bool follow_;
  const TimeRange range_;
  std::vector<Position> positions_;  // by source
  OwnedFd wake_;
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> app_ended_{false};
  int user_fd_ = -1;
  std::function<void()> on_wake_;

  // Source by source, at the end or without follow.
  std::uint32_t final_index_ = 0;
  std::uint64_t final_size_ = 0;  // what its size was when its turn came
  bool final_started_ = false;

  // All together, with follow.
  WatchSet watches_;
  MissingFiles missing_files_{watches_};
  std::size_t live_ = 0;              // sources that are not done
  std::vector<std::uint32_t> queue_;  // sources to look at, the longest waiting first
  std::vector<std::uint32_t> pass_;   // the part of the queue that is being looked at ...
  std::size_t pass_next_ = 0;         // ... from here
  std::chrono::nanoseconds pass_time_{};
  std::size_t polled_count_ = 0;
  bool watch_refused_ = false;  // since the last 100 ms: do not ask again for every source
  Clock::time_point next_pass_{};
  Clock::time_point next_poll_{};
  std::vector<OpenFile> open_files_;  // source i at i modulo the size
  std::string buffer_;
  std::optional<LineTimes> times_;  // of the source that was looked at last
  std::uint32_t times_source_ = 0;
};

}  // namespace slipway::local
