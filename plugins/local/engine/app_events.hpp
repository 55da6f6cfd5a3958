// Waiting for changes of an app.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Which changes a subscription reports: those of the app's own state, or those of its replicas
/// also. Both report the end of the app.
enum class Changes { kState, kReplicas };

/// A subscription to the changes of one app, for an event loop. Not thread safe.
///
/// How to wait for anything: settle(); open(); then loop { read_app(); decide; poll(fd()); if
/// (!drain()) start over }. Subscribe before reading, so that no change falls between. `start over`
/// when read_app says terminal is not needed.
///
/// The supervisor reports changes through its socket. When it does not, because too many wait
/// already or because it is stopped, the subscription watches the journal instead, which grows with
/// every change and is closed when the supervisor ends.
class AppEvents {
 public:
  /// nullopt: no process supervises the app (one that ends at this moment may still give a
  /// subscription, whose drain() is false soon): it is finished, does not exist, or both its
  /// processes died (settle() finds out and repairs). While another process is just taking over,
  /// waits for it (some milliseconds). Throws kUnavailable or kTemporary when the system refuses a
  /// descriptor.
  static std::optional<AppEvents> open(const AppRef& app, Changes changes);

  /// Readable when something changed since the last drain(), or the supervisor went away. Valid for
  /// the object's life.
  int fd() const { return epoll_.get(); }

  /// Takes the notification and asks for the next; never blocks. Changes are coalesced: one
  /// notification may stand for many. False: the supervisor has closed the connection. That is how
  /// the end of an app looks, and how the death of its supervisor looks: read the state again, then
  /// settle() and open() again unless it is terminal. Throws kTemporary when the supervisor refused
  /// to report and the system refuses to watch the journal.
  bool drain();

 private:
  AppEvents(AppRef app, OwnedFd dir, OwnedFd epoll, Changes changes);
  bool use_socket(OwnedFd socket);
  bool use_journal();
  bool drain_socket();
  bool drain_journal();
  void watch(OwnedFd source);
  std::string_view request() const;

  AppRef app_;
  OwnedFd dir_;
  OwnedFd epoll_;   // of source_ alone, so that fd() stays when the source changes
  OwnedFd source_;  // the socket, or an inotify instance
  bool by_socket_ = false;
  Changes changes_;
};

}  // namespace slipway::local
