// Finds an app, and its status, by the text with which a user names it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/log_identifier.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/logs.hpp"

namespace slipway::cli {

/// Returns the app that `text` names: a handle, an app id, a unique prefix of one, or `@last`,
/// the app submitted last. A handle is not looked up; without a session it gets the session of
/// `invocation`. Other texts are looked up in the lists of all schedulers, unless they are ids of
/// apps of kDefaultScheduler. Throws Error kUsage for a malformed handle, for a text that names a
/// role, and for a prefix of several apps; kNotFound for an unknown app.
AppHandle find_app(Invocation& invocation, const std::string& text);

/// Returns the replicas that `APP[/ROLE[/K[,K2…]]]` names; find_app() reads APP. Throws Error
/// kUsage for other forms, and as find_app().
ReplicaSelection find_replicas(Invocation& invocation, const std::string& text);

/// Returns the status of an app. Throws Error kNotFound for an unknown app, kInvalid for a damaged
/// record, and the other errors of Runner::status().
AppStatus existing_app(Invocation& invocation, const AppHandle& handle,
                       StatusDetail detail = StatusDetail::kReplicas);

/// Returns the status as existing_app() does, for a command that follows the app: while the app's
/// scheduler does not answer, queries it again after the pauses of Outage. Throws Error kTimeout at
/// the command's time limit.
AppStatus app_to_follow(Invocation& invocation, const AppHandle& handle,
                        StatusDetail detail = StatusDetail::kReplicas);

/// Does the same, but returns nothing if `wake_fd` is readable during a pause.
std::optional<AppStatus> app_unless_woken(Invocation& invocation, const AppHandle& handle,
                                          StatusDetail detail, int wake_fd);

/// Waits for the app as Runner::wait() does, at most until the command's time limit, and without
/// `options.timeout`. At the limit, throws Error kTimeout; `consequence` ends its message.
WaitResult wait_within_limit(Invocation& invocation, const AppHandle& handle, WaitOptions options,
                             const std::string& consequence = {});

/// Returns the status of an app with StatusDetail::kApp, or nothing when the app's record is
/// damaged, because a command can cancel or delete such an app as well. Throws as existing_app().
std::optional<AppStatus> app_to_remove(Invocation& invocation, const AppHandle& handle);

/// Returns whether a report of the app's end needs the replicas: with --json, and when the app
/// failed.
bool report_needs_replicas(Invocation& invocation, const Description& app);

/// Returns `status`, which has StatusDetail::kApp. Queries the replicas as well if
/// report_needs_replicas(). Throws as existing_app().
AppStatus status_to_report(Invocation& invocation, AppStatus status);

/// Returns the text by which a printed command names an app or its replicas: quoted for the shell,
/// and after `--` if it begins with a hyphen, because it would be an option otherwise.
std::string app_argument(const std::string& text);

/// Returns the items of `a,b,c` without empty ones.
std::vector<std::string> comma_list(const std::string& text);

/// Returns the state with this name, which may be in upper or lower case. Throws Error kUsage for
/// any other text; the message names `option`, whose value the text is.
AppState parse_state(const std::string& option, const std::string& name);

/// Returns the stream with this name. Throws Error kUsage for any other text.
Stream parse_stream(const std::string& name);

}  // namespace slipway::cli
