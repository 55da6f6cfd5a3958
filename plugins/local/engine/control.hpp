// Talking to the supervisor of an app, and replacing one that died.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// What a subscription tells: changes of the app's own state, or those of its replicas, too. The end
/// of the app is told by both.
enum class Changes { kState, kReplicas };

/// A subscription to the changes of one app, for an event loop. Not thread safe.
///
/// How to wait for anything: settle(); open(); then loop { read_app(); decide; poll(fd()); if
/// (!drain()) start over }. Subscribe before reading, so that no change falls between. `start over`
/// when read_app says terminal is not needed.
class AppEvents {
 public:
  /// nullopt: nobody supervises the app (one that ends at this moment may still give a
  /// subscription, whose drain() is false soon): it is finished, does not exist, or both its
  /// processes died (settle() tells and repairs). While another process is just taking over, waits
  /// for it (some milliseconds). Throws kUnavailable when the system refuses a descriptor.
  static std::optional<AppEvents> open(const AppRef& app, Changes changes);

  /// Readable when something changed since the last drain(), or the supervisor went away. Valid for
  /// the object's life.
  int fd() const { return socket_.get(); }

  /// Takes the notification and asks for the next; never blocks. Changes are coalesced: one
  /// notification may stand for many. False: the supervisor has closed the connection. That is how
  /// the end of an app looks, and how the death of its supervisor looks: read the state again, then
  /// settle() and open() anew unless it is terminal.
  bool drain();

 private:
  AppEvents(OwnedFd socket, Changes changes) : socket_(std::move(socket)), changes_(changes) {}
  OwnedFd socket_;
  Changes changes_;
};

/// Blocks until the app is terminal or its supervisor is gone, at most `timeout` (nullopt: for
/// ever). True: something of both has happened, read the state; false: time ran out. True at once
/// when nobody supervises the app.
bool wait_for_end(const AppRef& app, std::optional<std::chrono::milliseconds> timeout);

/// Asks for cancellation and returns when the supervisor has recorded the request; the app becomes
/// terminal later. `grace` replaces the plan's time between SIGTERM and SIGKILL; `now` kills at
/// once, also when an earlier, gentler cancel is under way. Idempotent; nothing happens to a
/// finished app. Call settle() first. Throws kNotFound (no such app), kUnavailable (not finished,
/// yet nobody supervises it).
void cancel_app(const AppRef& app, std::optional<std::chrono::milliseconds> grace, bool now);

/// Whether a process holds the app's lock. Takes no lock itself, so it never disturbs anybody.
/// False for no such app.
bool supervisor_alive(const AppRef& app);

/// Makes sure that the app is finished or supervised: when it is neither, starts `helper_path
/// recover` and returns when that one has taken over: what lives is adopted, the rest is recorded
/// as lost, an app without its owner is being cancelled. Otherwise (also: no such app) does
/// nothing, in some ten microseconds. A record that cannot be read is written anew by its
/// supervisor; without one, what still runs of the app is killed. A foreign record
/// (foreign_record.hpp) is left alone. Returns the app as it is then;
/// nullopt: no such app. Throws kUnavailable when the helper cannot be started or fails, with its
/// reason, and like read_summary: OtherVersion with nothing done.
std::optional<AppSummary> settle(const AppRef& app, const std::string& helper_path);

}  // namespace slipway::local
