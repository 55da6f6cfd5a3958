// The descriptors whose events the supervisor handles, and its one timer.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The origin of an event.
enum class Source : std::uint32_t {
  kSignals,  ///< SignalEvents, or a child has ended
  kAlarm,    ///< the moment of set_alarm() has come
  kControl,  ///< ControlServer
  kOwner,    ///< the owner has written to its socket or ended
  kMerger,   ///< CombinedMerger
  kOrphans,  ///< Orphans
  kProbes,   ///< Readiness
};

/// Signals that arrived since the last look.
struct SignalEvents {
  bool terminate = false;     ///< SIGTERM or SIGINT
  bool renew_socket = false;  ///< SIGHUP: a client found `ctl.sock` missing or without a listener
  bool file_removed = false;  ///< SIGIO: a name in the record was removed (RecordWatch)
};

/// The supervisor's epoll, signal and timer descriptors. The signals of SignalEvents and SIGCHLD
/// come as events only: the caller has blocked them. Not thread safe.
class EventSources {
 public:
  /// Throws kTemporary if the system is short of descriptors or memory, else kUnavailable.
  EventSources();

  /// Reports events of `fd` (borrowed) from now on, level-triggered. Throws like the
  /// constructor.
  void add(int fd, Source source, std::uint32_t events = EPOLLIN);
  void remove(int fd);

  /// Returns up to 16 sources that have events. If there is none and `may_block` is set, calls
  /// `before_waiting` and waits for one. The wait also ends, and the result is then empty, after
  /// this process was stopped and continued.
  template <typename F>
  std::vector<Source> next(bool may_block, F before_waiting) {
    std::vector<Source> ready = poll(0);
    if (!ready.empty() || !may_block) return ready;
    before_waiting();
    return poll(-1);
  }

  /// Reports kAlarm at the moment `due_ns` of CLOCK_BOOTTIME, at once if it has passed. Replaces
  /// an earlier moment; kNever removes it. Makes no system call if the moment is the same.
  void set_alarm(std::int64_t due_ns);
  /// Ends the event of an alarm that has come.
  void clear_alarm();

  /// Reads the signals that have arrived.
  SignalEvents read_signals();

 private:
  std::vector<Source> poll(int timeout_ms);

  OwnedFd epoll_;
  OwnedFd signals_;
  OwnedFd timer_;
  std::int64_t alarm_ns_ = kNever;  // the moment of set_alarm(); kNever: none
};

}  // namespace slipway::local
