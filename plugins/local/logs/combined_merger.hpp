// combined.log of each replica, made from its stdout.log and stderr.log while it runs.
//
// The replicas write their two files themselves; nobody stands in their way. The supervisor copies
// whole lines of both into a third file in about the order in which they came. How far it got is
// the caller's, in shared memory, so that the next supervisor goes on at the same byte after this
// one was killed.
#pragma once

#include <cstdint>
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

/// Keeps the combined.log of all live replicas up to date.
///
/// Thread rule: one thread, the one that calls event_fd()'s epoll. No call blocks on anything but
/// the log disk. Descriptors: three at rest, at most two more inside a call, whatever the number of
/// replicas. Idle: no wake-ups.
///
/// A line is copied when it is complete. A partial line waits for its end or for finish(), one
/// longer than kLongLine (line_cut.hpp) passes in pieces. Files that are missing count as empty;
/// combined.log is created with the first byte. When a stdout.log or stderr.log was truncated, what
/// was copied of it stays, what it holds now is copied behind that, and error() says so.
///
/// A log disk that is full or fails stops nothing: the cursors stay where they are, error() says
/// what happened, and the copy is tried again when the replica next writes and when it ends.
///
/// With LogRules::pipes the replicas write into pipes, which it empties into stdout.log and
/// stderr.log first. That takes two more descriptors for each replica that has started.
///
/// What it sees on the way it also records, and gives back to the disk, as far as `rules` want:
/// time_marks.hpp, log_limit.hpp. Only what is in combined.log is given back.
class CombinedMerger {
 public:
  /// `log_root_fd`: a directory descriptor below which the replicas' directories lie; borrowed,
  /// must outlive this. Throws Error(kUnavailable) when the kernel gives no epoll or timer
  /// descriptor. It is not an error if it gives no inotify instance: the files are then looked at
  /// every 100 ms.
  /// `replicas`: how many are expected, to have room for.
  explicit CombinedMerger(int log_root_fd, const LogRules& rules = {}, std::size_t replicas = 0);
  CombinedMerger(const CombinedMerger&) = delete;
  CombinedMerger& operator=(const CombinedMerger&) = delete;

  /// One descriptor for the caller's epoll, level-triggered: readable when on_event() has work.
  /// Owned by the merger.
  int event_fd() const { return epoll_.get(); }

  /// Does the work at hand: at most a few MiB of copying or a few ms of looking; the rest comes
  /// with the next event.
  void on_event();

  /// Starts to merge a replica: `relative_dir` is its directory below the log root ("role/k").
  /// `cursor` stays the caller's and must live until finish(); zeros for a new replica. The
  /// directory should exist; one that comes later is noticed within 100 ms. Adding an index that
  /// was added already replaces it. No file is touched before the first look, 2 ms later or in
  /// finish(). Then a combined.log longer than the cursor's sum (killed between a write and its
  /// store) is cut to the sum, and a shorter one (somebody removed it) is written anew from the
  /// start of both streams.
  void add(std::uint32_t replica_index, std::string relative_dir, CombinedCursor* cursor);

  /// The replica ended and writes no more: copies everything left, a partial last line included,
  /// and forgets it. Without a look at its files when its watch says that nothing happened there
  /// since the last copy; true if that also says that no kErrorFileName has come to the directory
  /// that was there. Unknown indices are ignored. The same index may be added again.
  bool finish(std::uint32_t replica_index);

  /// All replicas are ending and none is added any more: the watches of those that finish are left
  /// for the kernel to end with this object, which takes no call for each.
  void leave_watches() { leaves_watches_ = true; }

  /// finish() for every replica that is left.
  void finish_all();

  /// The last failure of the log disk, for people; empty if there was none.
  const std::string& error() const { return copier_.error(); }

 private:
  struct Entry {
    CombinedCursor* cursor = nullptr;        // null: this index is not live
    const std::string* directory = nullptr;  // in directories_, with a slash at the end
    std::uint32_t number = 0;  // last component, LogPlace::kNoNumber if `directory` is all
    std::int32_t watch = -1;
    bool unchecked = false;     // combined.log was not compared with the cursor yet
    bool queued = false;        // on queue_
    bool polled = false;        // without a watch: looked at with the 100 ms timer
    bool quiet = false;         // all is copied, and its watch tells when anything happens
    bool no_error = false;      // quiet, and there was no kErrorFileName
    bool stderr_first = false;  // stderr.log was written first since the last look
    bool is_full = false;       // the disk did not take what is in its pipes
  };
  CopyJob job_of(std::uint32_t index) const;
  void check(const CopyJob& job);
  void copy_rest(std::uint32_t replica_index);
  std::uint64_t empty_pipes(const CopyJob& job);
  void read_pipe_events();

  void enqueue(std::uint32_t index);
  void enqueue_live(bool only_polled);
  void attach_watches();
  void read_watches();
  void run_batch();
  void watch(const CopyJob& job, const StreamSizes& seen);
  void set_polled(Entry& entry, bool polled);
  void schedule();

  CombinedCopier copier_;
  OwnedFd epoll_;
  OwnedFd timer_;
  std::optional<LogPipes> pipes_;
  WatchSet watches_;
  std::string watch_root_;  // path of the log root for inotify, which takes no directory descriptor
  bool watches_attached_ = false;  // in epoll_
  bool watches_listened_ = false;  // and with interest
  bool watch_refused_ = false;     // since the last 100 ms: do not ask again for every replica
  bool leaves_watches_ = false;
  bool batch_due_ = false;  // the timer runs for the queue
  std::size_t polled_count_ = 0;
  std::int64_t next_poll_ns_ = 0;      // CLOCK_MONOTONIC
  std::vector<Entry> entries_;         // by replica index
  std::vector<std::uint32_t> queue_;   // replicas to look at, the longest waiting first
  std::vector<std::uint32_t> batch_;   // the part of the queue that is being looked at ...
  std::size_t batch_next_ = 0;         // ... from here
  std::set<std::string> directories_;  // shared by all replicas of a role; entries point into it
};

}  // namespace slipway::local
