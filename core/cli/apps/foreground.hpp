// Follows an app until it ends, and reports its end.
#pragma once

#include <boost/json.hpp>
#include <functional>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/interrupts.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Which of the signals SIGINT, SIGTERM and SIGHUP cancel the app. The next such signal kills it,
/// except SIGHUP, because a terminal that closes sends it up to two times. The other signals end
/// only the command. With kAfterQuestion, a SIGINT cancels the app only while the question is on
/// the terminal; a later SIGINT kills it.
enum class Cancelling { kNoSignal, kAfterQuestion, kEverySignal };

/// Gives up the ownership of an app. Returns false if the scheduler does not confirm it.
using Release = std::function<bool()>;

struct FollowOptions {
  bool show_logs = true;
  bool show_failures = true;   ///< print failures, retries and waits when they happen
  bool prints_events = false;  ///< print a JSON document for each event on standard output
  Cancelling cancelling = Cancelling::kNoSignal;
  Release release;  ///< set if this command owns the app; empty otherwise
};

struct FollowResult {
  enum class End {
    kAppEnded,
    kInterrupted,  ///< a signal ended the waiting; the app still runs
    kDetached,     ///< the user ended the waiting; the app still runs
  };
  AppStatus status;
  End end = End::kAppEnded;
  bool showed_logs = false;     ///< everything that the app wrote was shown
  bool cancelled_here = false;  ///< a signal made this command cancel the app
};

/// Waits until the app has ended (is_over()) and its logs are shown, or until a signal ends the
/// waiting. On a terminal, ^\ (SIGQUIT) ends the command and leaves the app running; if `release`
/// fails, the command continues. With kAfterQuestion, the first ^C asks on the terminal what to do:
/// a second ^C cancels the app, `d` leaves it running, another key continues. If it cannot ask, the
/// command ends and the app continues. Prints a warning and continues without logs if the scheduler
/// keeps none or does not answer. Throws other errors of the scheduler.
FollowResult follow_app(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                        const FollowOptions& options);

/// Throws Error kUsage if `--events` was given without --json.
void check_events_option(const Invocation& invocation, bool events);

/// Prints the final status with --json. If the app failed, prints why: the replica that failed
/// first, its error, the end of its stderr, and commands that show more. Leaves the stderr out if
/// the app has a single replica, whose logs were just shown. If the app was cancelled, prints the
/// cause, as an error unless this command cancelled it. Returns the exit status: the app's, 130
/// when a signal ended the waiting, 0 when the user detached, kExitTemporary when a retry started
/// after the wait.
int report_end(Invocation& invocation, const FollowResult& result);

/// Prints an error if the app has ended and its scheduler does not know the result.
void warn_of_unknown_end(const AppStatus& status);

/// Returns the handle and its parts, as `run --json` prints them.
boost::json::object handle_json(const AppHandle& handle);

}  // namespace slipway::cli
