// Makes the combined.log of each replica from its stdout.log and stderr.log while it runs.
//
// The replicas write their two files themselves, without delay. The supervisor copies whole lines
// of both into a third file, in about the order in which they were written. The progress belongs to
// the caller and lies in shared memory, so that a successor continues at the same byte.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/logs/combined_copier.hpp"
#include "plugins/local/logs/combined_cursor.hpp"
#include "plugins/local/logs/log_pipes.hpp"
#include "plugins/local/logs/watch_set.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Longest time that a program takes between two writes of the same line, on a busy machine.
inline constexpr std::chrono::milliseconds kTextPatience{300};

/// Keeps the combined.log of all live replicas up to date.
///
/// Thread rule: only the thread that polls event_fd(). A call blocks on nothing but the log disk.
/// Descriptors: three, and at most three more inside a call, for any number of replicas. There are
/// no wake-ups while no replica writes, unless one has no watch.
///
/// A line is copied when it is complete, and a state of a progress bar when the next one begins
/// (line_cut.hpp), or after kLinePatience. The beginning of another line is copied after
/// kTextPatience: the rest may then follow a line of the other stream, as on a terminal. A line
/// longer than kLongLine is copied in pieces. Missing files count as empty, and the first byte
/// creates combined.log. If a stdout.log or stderr.log was truncated, the copied bytes stay, its
/// new content is copied behind them, and error() reports it.
///
/// If the log disk is full or fails, the cursors stay where they are and error() reports it. The
/// copy is tried again when the replica next writes, and when it ends.
///
/// With LogRules::pipes the replicas write into pipes, which the merger first empties into
/// stdout.log and stderr.log. This takes two more descriptors for each replica that has started.
/// Bytes that a full disk does not take stay in their pipe, and the merger tries again every 100
/// ms.
///
/// As far as `rules` ask for it, the merger also writes time marks (time_marks.hpp) and gives the
/// front of long files back to the disk (log_limit.hpp), but only bytes that are in combined.log.
class CombinedMerger {
 public:
  /// The directories of the replicas lie below `log_root_fd`, which is borrowed and must outlive
  /// this. `replicas` is the expected number of replicas. Throws Error(kUnavailable) if the kernel
  /// gives no epoll or timer descriptor. It is not an error if the kernel gives no inotify
  /// instance: the merger then looks at the files every 100 ms.
  explicit CombinedMerger(int log_root_fd, const LogRules& rules = {}, std::size_t replicas = 0);
  CombinedMerger(const CombinedMerger&) = delete;
  CombinedMerger& operator=(const CombinedMerger&) = delete;

  /// Returns a descriptor for the caller's epoll, level-triggered, which is readable when
  /// on_event() has work. The merger owns it.
  int event_fd() const { return epoll_.get(); }

  /// Does the work that is due: copies at most a few MiB, or looks at files for a few ms. The next
  /// event does the rest.
  void on_event();

  /// Whether the streams of a replica have truncation marks (truncation_mark.hpp).
  enum class Marks {
    kNone,
    kSet,
    kUnknown,  ///< add() looks at the files
  };

  /// Starts to merge a replica, whose directory below the log root is `relative_dir` ("role/k").
  /// `cursor` belongs to the caller and must live until finish(); it is zero for a new replica. The
  /// directory should exist; if it is made later, the merger notices it within 100 ms. Adding an
  /// index again replaces the earlier replica. Opens the replica's pipes, and with Marks::kUnknown
  /// looks at its streams. Touches no other file before the first look, 2 ms later or in finish(),
  /// which compares combined.log with the cursor as CombinedCopier::check() does.
  void add(std::uint32_t replica_index, std::string relative_dir, CombinedCursor* cursor,
           Marks marks = Marks::kNone);

  /// Copies the rest of a replica that has ended, also a partial last line, and forgets it. Skips
  /// the look at its files if its watch reported nothing since the last copy. Returns true if the
  /// watch also shows that the directory has no kErrorFileName. Ignores unknown indices. The same
  /// index may be added again. `by_signal` says that a signal ended the replica.
  bool finish(std::uint32_t replica_index, bool by_signal = false);

  /// Prepares for the end of the app: from now on signals end all replicas, and none is added.
  /// finish() then leaves each watch to the kernel, which ends it together with this object. That
  /// saves a call for each replica.
  void expect_ends() { all_end_ = true; }

  /// Calls finish() for every remaining replica. Closes and removes all pipes.
  void finish_all();

  /// Returns why the logs may be incomplete, as CombinedCopier::error() does.
  const std::string& error() const { return copier_.error(); }

 private:
  /// A replica.
  struct Entry {
    CombinedCursor* cursor = nullptr;        // null: this index is not live
    const std::string* directory = nullptr;  // in directories_, with a slash at the end
    std::uint32_t number = 0;   // last part of the path, LogPlace::kNoNumber if `directory` is all
    std::int32_t watch = -1;    // in watches_; -1: none
    bool unchecked = false;     // combined.log was not compared with the cursor yet
    bool queued = false;        // on queue_
    bool polled = false;        // without a watch: checked by the 100 ms timer
    bool quiet = false;         // all is copied, and its watch reports the next change
    bool no_error = false;      // quiet, and there was no kErrorFileName
    bool stderr_first = false;  // stderr.log was written first since the last look
    bool is_full = false;       // the disk had no room for the bytes in its pipes
    bool unfinished = false;    // on unfinished_
    bool is_marked = false;     // its streams had truncation marks
  };
  /// A replica that has written the beginning of a line.
  struct Unfinished {
    std::uint32_t index = 0;
    std::uint64_t copied = 0;  // sum of the cursor at the beginning of the line
  };
  CopyJob job_of(std::uint32_t index) const;
  void check(const CopyJob& job);
  void copy_rest(const CopyJob& job);
  std::uint64_t empty_pipes(const CopyJob& job);
  void read_pipe_events();

  void enqueue(std::uint32_t index);
  void enqueue_live();
  void enqueue_polled();
  void attach_watches();
  void read_watches();
  void run_batch();
  void await_rest(const CopyJob& job, const StreamSizes& seen);
  void copy_unfinished();
  void watch(const CopyJob& job, const StreamSizes& seen);
  void set_polled(Entry& entry, bool polled);
  void schedule();

  CombinedCopier copier_;
  OwnedFd epoll_;
  OwnedFd timer_;
  std::optional<LogPipes> pipes_;
  WatchSet watches_;
  std::string watch_root_;  // path of the log root for inotify, which takes no directory descriptor
  bool watches_attached_ = false;  // watches_ is in epoll_
  bool watches_listened_ = false;  // watches_ is in epoll_, with interest in events
  bool watch_refused_ = false;     // in the last 100 ms: no other replica asks for a watch
  bool all_end_ = false;           // see expect_ends()
  bool batch_due_ = false;         // the timer runs for the queue
  std::size_t polled_count_ = 0;
  std::int64_t next_poll_ns_ = 0;     // CLOCK_MONOTONIC
  std::vector<Entry> entries_;        // by replica index
  std::vector<std::uint32_t> queue_;  // replicas to look at, the longest waiting first
  std::vector<std::uint32_t> batch_;  // the part of the queue that is being read ...
  std::size_t batch_next_ = 0;        // ... from here
  std::multimap<std::int64_t, Unfinished> unfinished_;  // by the time to copy, CLOCK_MONOTONIC
  std::set<std::string> directories_;  // shared by all replicas of a role; entries point into it
};

}  // namespace slipway::local
