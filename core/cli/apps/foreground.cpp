#include "core/cli/apps/foreground.hpp"

#include <fmt/core.h>
#include <signal.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/attempt_logs.hpp"
#include "core/cli/apps/event_lines.hpp"
#include "core/cli/apps/failure_lines.hpp"
#include "core/cli/apps/log_pump.hpp"
#include "core/cli/apps/wait_lines.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/status_text.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/key_prompt.hpp"
#include "core/runner/poll_timeout.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

/// Cancels the app at the first interrupt, and kills it at the next one. `interrupts` is the number
/// of interrupts so far.
void forward_interrupt(Invocation& invocation, const AppHandle& handle, int interrupts) {
  CancelOptions options;
  options.now = interrupts > 1;
  invocation.runner().cancel(handle, options);
}

/// Returns whether the signal cancels the app.
bool cancels(Cancelling cancelling, int signal) {
  return cancelling == Cancelling::kEverySignal ||
         (cancelling == Cancelling::kAfterQuestion && signal == SIGINT);
}

/// Starts showing the logs. Prints a warning if they cannot be read, because the app still runs.
void start_logs(Invocation& invocation, const AppHandle& handle, std::optional<LogPump>& pump) {
  try {
    pump.emplace(invocation, handle);
  } catch (const Error& error) {
    if (error.code() != Code::kUnimplemented && error.code() != Code::kTemporary) throw;
    say(LogLevel::kWarning, error.message());
  }
}

/// What the user wants after a signal or a key.
enum class Wish { kContinue, kCancel, kStopWaiting, kDetach };

/// Reads what the user wants while a command follows an app.
class Wishes {
 public:
  Wishes(Interrupts& interrupts, const FollowOptions& options, std::string app_id)
      : interrupts_(interrupts), options_(options), app_id_(std::move(app_id)) {}

  /// Returns the descriptor that is readable when next() has something to read.
  int fd() const { return prompt_ ? prompt_->fd() : interrupts_.fd(); }

  Wish next() {
    const int signal = interrupts_.take();
    if (signal == 0) return prompt_ ? wish_of_key() : Wish::kContinue;
    if (signal == SIGQUIT) return Wish::kDetach;
    if (!cancels(options_.cancelling, signal)) return Wish::kStopWaiting;
    // A terminal that closes sends SIGHUP up to two times: by the shell and by the kernel.
    if (signal == SIGHUP && has_cancelled_) return Wish::kContinue;
    const bool was_asked = prompt_ != nullptr || has_cancelled_;
    if (options_.cancelling == Cancelling::kAfterQuestion && !was_asked) {
      prompt_ = KeyPrompt::open(interrupts_.fd());
      if (!prompt_) return Wish::kStopWaiting;
      prompt_->show("^C again cancels " + app_id_ +
                    ", d detaches from it, any other key continues");
      return Wish::kContinue;
    }
    // After SIGHUP the terminal is closed.
    if (signal != SIGHUP) say_cancelling();
    prompt_.reset();
    has_cancelled_ = true;
    return Wish::kCancel;
  }

 private:
  void say_cancelling() const {
    const std::string text = has_cancelled_ ? "killing " + app_id_ + " now"
                                            : "cancelling " + app_id_ + "; ^C again kills it";
    if (prompt_) return prompt_->show(text);
    say(LogLevel::kWarning, text);
  }

  Wish wish_of_key() {
    const std::optional<char> key = prompt_->take();
    if (!key) return Wish::kContinue;
    if (*key == 'd' || *key == 'D') return Wish::kDetach;
    if (*key != '\0') prompt_->show(app_id_ + " continues; ^C asks again");
    prompt_.reset();
    return Wish::kContinue;
  }

  Interrupts& interrupts_;
  const FollowOptions& options_;
  std::string app_id_;
  std::unique_ptr<KeyPrompt> prompt_;  // while the user is asked what to do
  bool has_cancelled_ = false;
};

/// Gives up the ownership of the app, if the command owns it. Returns whether the command may end.
bool detach(const AppHandle& handle, const FollowOptions& options) {
  if (options.release && !options.release()) {
    say(LogLevel::kWarning, handle.scheduler + " does not let " + handle.app_id +
                                " continue without this command; ^C cancels it");
    return false;
  }
  say(LogLevel::kInfo, fmt::format("detached; {0} still runs: slipway attach {0} returns to it, "
                                   "slipway cancel {0} ends it",
                                   app_argument(handle.app_id)));
  return true;
}

/// Returns the query for a replica, bounded to the time of its last attempt; the query itself if
/// that time is unknown.
LogQuery of_last_attempt(const AppStatus& app, LogQuery query, const ReplicaStatus& replica) {
  const std::size_t attempts = attempts_of(replica);
  if (attempts <= 1) return query;
  try {
    AttemptQueries bounded = attempt_queries(app, query, attempts);
    return bounded.queries.size() == 1 ? std::move(bounded.queries.front()) : query;
  } catch (const Error&) {
    return query;
  }
}

/// Returns the last lines of the replica's stderr, indented; empty if they cannot be read, or if
/// there are so many bytes that reading them would take long.
std::string end_of_stderr(Invocation& invocation, const AppStatus& app, const std::string& role,
                          const ReplicaStatus& replica) {
  constexpr std::size_t kLines = 5;
  constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  LogQuery query;
  query.stream = Stream::kStderr;
  query.targets.push_back({role, {replica.id}});
  query = of_last_attempt(app, std::move(query), replica);
  std::deque<std::string> last;
  std::size_t bytes = 0;
  try {
    invocation.runner().log_lines(app.handle, query).each_line([&](const LogLine& line) {
      bytes += line.text.size();
      if (line.text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        last.emplace_back(line.text.substr(0, line.text.find_last_not_of("\r\n") + 1));
        if (last.size() > kLines) last.pop_front();
      }
      return bytes <= kMostBytes;
    });
  } catch (const Error&) {
    return {};
  }
  std::string out;
  if (bytes > kMostBytes) return out;
  for (const std::string& line : last) out += "\n    " + line;
  return out;
}

bool has_one_replica(const Description& app) {
  return app.roles.size() == 1 && app.roles[0].replicas.size() == 1 &&
         app.roles[0].replicas[0].count == 1;
}

/// Returns what failed and why, and the commands that show more.
std::string failure_report(Invocation& invocation, const FollowResult& result) {
  const Description& app = result.status.description;
  const std::string& app_id = result.status.handle.app_id;
  std::string out = fmt::format("{} FAILED: {}", app_id, failure_text(app));
  const RoleStatus* role = nullptr;
  const ReplicaStatus* const failed = first_failure(app, &role);
  if (failed == nullptr) return out + "\n  more: slipway status " + app_argument(app_id);
  if (!failed->structured_error_json.empty()) out += error_text(failed->structured_error_json, 2);
  if (!result.showed_logs || !has_one_replica(app)) {
    const std::string lines = end_of_stderr(invocation, result.status, role->role, *failed);
    if (!lines.empty()) out += "\n  the end of its stderr:" + lines;
  }
  const std::string replica = fmt::format("{}/{}/{}", app_id, role->role, failed->id);
  return out + fmt::format("\n  more: slipway log {}; slipway status {}", app_argument(replica),
                           app_argument(app_id));
}

/// Returns the status of an app that the user no longer waits for. If the scheduler does not
/// answer, prints a warning and returns the state UNKNOWN: the exit status depends only on the
/// user's wish.
AppStatus status_at_leaving(Invocation& invocation, const AppHandle& handle) {
  try {
    return status_to_report(invocation, existing_app(invocation, handle, StatusDetail::kApp));
  } catch (const Error& error) {
    say(LogLevel::kWarning, error.message());
    return {handle, {}};
  }
}

}  // namespace

FollowResult follow_app(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                        const FollowOptions& options) {
  interrupts.end_when_stuck();
  std::optional<LogPump> pump;
  if (options.show_logs) start_logs(invocation, handle, pump);
  WaitOptions wait;
  AppMessage message(wait_messages(handle.app_id));
  ReplicaWaits waits(ReplicaWaits::Grouping::kByRole, wait_messages(handle.app_id));
  std::optional<FailureLines> failures;
  if (options.show_failures) failures.emplace(invocation, handle, FailureLines::AtEnd::kNamesFirst);
  std::optional<EventLines> events;
  if (options.prints_events) events.emplace(invocation, handle);
  const auto print_new = [&](const Description& app) {
    if (events) events->print_new(app);
    if (failures) failures->print_new(app);
  };
  if (failures || events) {
    wait.on_look = [&](const Description& app) {
      return earliest(events ? events->print_message(app) : std::nullopt,
                      failures ? message.look(app) : std::nullopt);
    };
    wait.on_replicas = [&](const Description& app) {
      print_new(app);
      return earliest(events ? events->print_waits(app) : std::nullopt,
                      failures ? waits.look(app) : std::nullopt);
    };
  }
  int cancelling_interrupts = 0;
  std::optional<Wishes> wishes(std::in_place, interrupts, options, handle.app_id);
  while (true) {
    interrupts.handled();
    wait.wake_fd = wishes->fd();
    const WaitResult result = invocation.runner().wait(handle, wait);
    if (result != WaitResult::kInterrupted) break;
    const Wish wish = wishes->next();
    if (wish == Wish::kCancel) forward_interrupt(invocation, handle, ++cancelling_interrupts);
    if (wish == Wish::kDetach && !detach(handle, options)) continue;
    if (wish == Wish::kContinue || wish == Wish::kCancel) continue;
    if (wish == Wish::kStopWaiting)
      say(LogLevel::kWarning, "stopped waiting; " + to_string(handle) + " still runs");
    return {status_at_leaving(invocation, handle),
            wish == Wish::kDetach ? FollowResult::End::kDetached : FollowResult::End::kInterrupted};
  }
  wishes.reset();  // gives the terminal back
  const bool showed_logs = pump && pump->finish(interrupts);
  const bool looked_at_replicas = failures || events;
  const auto status_at_end = [&](StatusDetail detail) {
    interrupts.handled();
    return app_unless_woken(invocation, handle, detail, interrupts.fd());
  };
  std::optional<AppStatus> status =
      status_at_end(looked_at_replicas ? StatusDetail::kReplicas : StatusDetail::kApp);
  if (status && looked_at_replicas) {
    // The last events may have come after the last description of the running app.
    print_new(status->description);
  } else if (status && report_needs_replicas(invocation, status->description)) {
    status = status_at_end(StatusDetail::kReplicas);
  }
  if (!status) {
    say(LogLevel::kWarning, "stopped waiting; " + to_string(handle) + " has ended");
    return {{handle, {}}, FollowResult::End::kInterrupted};
  }
  return {std::move(*status), FollowResult::End::kAppEnded, showed_logs, cancelling_interrupts > 0};
}

boost::json::object handle_json(const AppHandle& handle) {
  return {{"handle", to_string(handle)},
          {"app_id", handle.app_id},
          {"scheduler", handle.scheduler},
          {"session", handle.session}};
}

void check_events_option(const Invocation& invocation, bool events) {
  if (!events || invocation.json()) return;
  throw Error(Code::kUsage, "--events prints JSON documents, so it needs --json",
              "without --json, failures are printed when they happen; `slipway events -f` prints "
              "all events");
}

void warn_of_unknown_end(const AppStatus& status) {
  const Description& app = status.description;
  if (app.state != AppState::kUnknown || !is_over(app)) return;
  say(LogLevel::kError, fmt::format("{} has ended, but its result is not known{}{}",
                                    status.handle.app_id, app.msg.empty() ? "" : ": ", app.msg));
}

int report_end(Invocation& invocation, const FollowResult& result) {
  if (invocation.json()) {
    boost::json::object document = handle_json(result.status.handle);
    document["status"] = status_json(result.status);
    write_json(document);
  }
  if (result.end == FollowResult::End::kInterrupted) return kExitInterrupted;
  if (result.end == FollowResult::End::kDetached) return kExitOk;
  const Description& app = result.status.description;
  if (app.state == AppState::kFailed) {
    say(LogLevel::kError, failure_report(invocation, result));
  } else if (app.state == AppState::kCancelled) {
    const bool has_cause = app.msg.starts_with("cancelled ");  // "cancelled by …"
    say(result.cancelled_here ? LogLevel::kWarning : LogLevel::kError,
        result.status.handle.app_id + " was " + (has_cause ? app.msg : "cancelled"));
  }
  warn_of_unknown_end(result.status);
  return is_over(app) ? exit_status(app) : kExitTemporary;  // a retry started after the wait
}

}  // namespace slipway::cli
