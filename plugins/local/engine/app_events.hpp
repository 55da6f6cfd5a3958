// A subscription to the changes of an app.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The changes that a subscription reports besides the end of the app.
enum class Changes {
  kState,     ///< those of the app's own state
  kReplicas,  ///< those of the app and its replicas
};

/// A subscription to the changes of one app, for an event loop. Not thread safe.
///
/// To wait for a condition:
/// 1. ensure_supervised(), then open().
/// 2. read_app(). Stop if the condition holds or the app is terminal.
/// 3. poll() for fd(), then drain(). If it returns true, continue with 2, else with 1.
/// The subscription begins before the first read, so no change between the two is missed.
///
/// The supervisor reports changes through its socket. If it has too many watchers or does not
/// answer, the subscription watches the journal instead, which grows with every change, also with
/// one that Changes leaves out, and which the supervisor closes at its end.
class AppEvents {
 public:
  /// Subscribes. During a take-over, waits for the successor, at most a second. nullopt: the app is
  /// finished or does not exist, supervisor and warden have died (ensure_supervised() repairs
  /// that), or the supervisor has closed the new connection. For a supervisor that is just ending,
  /// may return a subscription whose drain() soon returns false. Throws kUnavailable or kTemporary
  /// if the system refuses a descriptor, and the errors of open_app_dir().
  static std::optional<AppEvents> open(const AppRef& app, Changes changes);

  /// Returns a descriptor that is readable after a change since the last drain(), and after the end
  /// of the supervisor. It belongs to this object.
  int fd() const { return epoll_.get(); }

  /// Takes the notification and requests the next one. One notification may stand for many changes.
  /// Never blocks. Returns false if the supervisor has closed the connection, because the app or
  /// the supervisor ended: the caller reads the state again and, unless it is terminal, calls
  /// ensure_supervised() and open() again. Throws kTemporary or kUnavailable if the supervisor
  /// does not report and the system refuses to watch the journal.
  bool drain();

 private:
  AppEvents(AppRef app, OwnedFd dir, OwnedFd epoll, Changes changes);
  bool use_socket(OwnedFd socket);
  void limit_first_answer();
  bool use_journal();
  bool drain_socket();
  bool drain_journal();
  void watch(OwnedFd source);
  std::string_view request() const;

  AppRef app_;
  OwnedFd dir_;             // of the record
  OwnedFd epoll_;           // watches source_, so that fd() stays the same when source_ changes
  OwnedFd source_;          // the socket, or an inotify instance
  OwnedFd limit_;           // a timer, until the supervisor has answered for the first time
  bool by_socket_ = false;  // source_ is the socket
  Changes changes_;
};

}  // namespace slipway::local
