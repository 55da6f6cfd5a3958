#include "core/cli/apps/app_lookup.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <optional>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/registry/calls/call_context.hpp"
#include "core/runner/outage.hpp"
#include "core/runner/poll_timeout.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway::cli {

namespace {

constexpr std::string_view kLast = "@last";
constexpr std::size_t kMaxMatchesNamed = 5;  // apps that the error about an ambiguous prefix names

struct KnownApp {
  AppHandle handle;
  TimeNs submitted_at;
};

using Answers = std::vector<SchedulerAnswer<std::vector<ListItem>>>;

/// Returns the apps in the answers, in their order.
std::vector<KnownApp> known_apps(const Invocation& invocation, const Answers& answers) {
  std::vector<KnownApp> out;
  for (const auto& answer : answers) {
    for (const ListItem& item : answer.answer) {
      const std::string& session =
          item.session.empty() ? invocation.options().session : item.session;
      out.push_back({{answer.scheduler, session, item.app_id}, item.submitted_at});
    }
  }
  return out;
}

/// Returns the names of all schedulers, kDefaultScheduler first.
std::vector<std::string> schedulers_in_order(Invocation& invocation) {
  std::vector<std::string> out = invocation.runner().scheduler_backends();
  std::stable_partition(out.begin(), out.end(),
                        [](const std::string& name) { return name == kDefaultScheduler; });
  return out;
}

/// Returns the app that was submitted last. Each of `apps` is the newest of its scheduler.
AppHandle newest(const std::vector<KnownApp>& apps) {
  const auto time = [](const KnownApp& app) {
    return app.submitted_at.value_or(std::numeric_limits<std::int64_t>::min());
  };
  return std::max_element(apps.begin(), apps.end(),
                          [&](const KnownApp& a, const KnownApp& b) { return time(a) < time(b); })
      ->handle;
}

/// Returns the app with exactly this id on kDefaultScheduler, where most apps are, or nothing if
/// that scheduler has none. Lists no apps, so it is faster than a search in the lists.
std::optional<AppHandle> find_exact_id(Invocation& invocation, const std::string& text) {
  AppHandle handle{kDefaultScheduler, invocation.options().session, text};
  try {
    const auto& scheduler = invocation.runner().scheduler(handle.scheduler, handle.session);
    if (scheduler.exists(text)) return handle;
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    // search() then lists the apps of every scheduler, and reports the error of this one.
  }
  return std::nullopt;
}

/// Throws kDefaultScheduler's own error about an app that it no longer has, which says why it was
/// deleted. Returns if the scheduler has no such error.
void throw_why_deleted(Invocation& invocation, const std::string& id) {
  try {
    (void)invocation.runner().status({kDefaultScheduler, invocation.options().session, id},
                                     StatusDetail::kApp);
  } catch (const UnknownScheduler&) {
    return;  // the scheduler's plug-in is disabled, or missing
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound || is_end_of_time_limit(error.code())) throw;
  }
}

/// Returns the app that `text` names: an id, a unique prefix of one, or `@last`. Looks it up in the
/// lists of all schedulers, unless it is an id on kDefaultScheduler.
AppHandle search(Invocation& invocation, const std::string& text) {
  if (text != kLast) {
    if (auto handle = find_exact_id(invocation, text)) return *std::move(handle);
  }
  const Answers answers = invocation.runner().list_of(schedulers_in_order(invocation));
  std::vector<KnownApp> fitting;
  for (KnownApp& app : known_apps(invocation, answers)) {
    if (app.handle.app_id == text) return app.handle;
    // Each scheduler lists its newest app first, even if the clock was set back before its
    // submission.
    const bool is_newest =
        fitting.empty() || fitting.back().handle.scheduler != app.handle.scheduler;
    if (text == kLast ? is_newest : app.handle.app_id.compare(0, text.size(), text) == 0)
      fitting.push_back(std::move(app));
  }
  if (fitting.empty()) {
    if (text != kLast) throw_why_deleted(invocation, text);
    std::string failures;
    const Error* first = nullptr;
    for (const auto& answer : answers) {
      if (!answer.error || is_absent(answer)) continue;
      failures += "\n  " + failed_query(answer.scheduler, *answer.error);
      if (first == nullptr) first = &*answer.error;
    }
    if (text == kLast && first != nullptr)
      throw Error(first->code(), "the newest app is not known" + failures, first->hint());
    throw Error(Code::kNotFound,
                (text == kLast ? std::string("there is no app yet")
                               : "there is no app " + spec::quoted(text)) +
                    failures,
                "`slipway list --all` shows all apps");
  }
  // A scheduler that did not answer may have a newer app, or another one with this prefix.
  for (const auto& answer : answers) {
    if (!is_absent(answer)) warn_if_failed(answer);
  }
  if (text == kLast) return newest(fitting);
  if (fitting.size() > 1) {
    std::string names;
    for (std::size_t i = 0; i < fitting.size() && i < kMaxMatchesNamed; ++i)
      names += "\n  " + to_string(fitting[i].handle);
    throw Error(Code::kUsage,
                fmt::format("{} is a prefix of {} apps:{}{}", spec::quoted(text), fitting.size(),
                            names, fitting.size() > kMaxMatchesNamed ? "\n  ..." : ""),
                "write more of the app's id");
  }
  return fitting.front().handle;
}

/// Throws the error for `text`, which names a role of an app. `app` is the app's handle or id.
[[noreturn]] void throw_names_role(const std::string& text, const std::string& app) {
  throw Error(Code::kUsage,
              spec::quoted(text) + " names a role, but this command takes a whole app: " + app,
              "`slipway log` and `slipway signal` take APP/ROLE/K; `slipway status --roles ROLE "
              "APP` shows one role");
}

/// Returns the parts of a handle. Throws Error kUsage for other texts, also for a handle with a
/// role, such as local://slipway/app/ROLE.
AppHandle parse_whole_app(const std::string& text) {
  AppHandle handle = parse_app_handle(text);
  // As in TorchX, everything before the last slash is the session, but no session has a slash.
  const std::string& session = handle.session;
  const std::size_t slash = session.find('/');
  if (slash == std::string::npos) return handle;
  const std::string app_id = session.substr(slash + 1, session.find('/', slash + 1) - slash - 1);
  if (!app_id.empty())
    throw_names_role(text,
                     to_string(AppHandle{handle.scheduler, session.substr(0, slash), app_id}));
  return handle;
}

/// Throws the error about a text with a slash that is not a handle: APP/ROLE, or another text.
[[noreturn]] void throw_not_an_app(Invocation& invocation, const std::string& text) {
  const std::string app = text.substr(0, text.find('/'));
  bool is_app = !app.empty();
  try {
    if (is_app) search(invocation, app);
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    is_app = false;
  }
  if (is_app) throw_names_role(text, app);
  throw MalformedAppHandle(text);
}

}  // namespace

AppHandle find_app(Invocation& invocation, const std::string& text) {
  if (text.find(kSchedulerEnd) != std::string::npos) {
    AppHandle handle = parse_whole_app(text);
    if (handle.session.empty()) handle.session = invocation.options().session;
    return handle;
  }
  if (text.empty() || text.find('/') != std::string::npos) throw_not_an_app(invocation, text);
  return search(invocation, text);
}

ReplicaSelection find_replicas(Invocation& invocation, const std::string& text) {
  if (text.find(kSchedulerEnd) != std::string::npos)
    return parse_log_identifier(text, invocation.options().session);
  const std::vector<std::string> parts = slash_parts(text, 0);
  ReplicaSelection out;
  parse_log_replicas(text, parts, 1, out);
  out.app = find_app(invocation, parts[0]);
  return out;
}

AppStatus existing_app(Invocation& invocation, const AppHandle& handle, StatusDetail detail) {
  auto status = invocation.runner().status(handle, detail);
  if (!status) {
    throw Error(Code::kNotFound, "there is no app " + to_string(handle),
                "`slipway list --all` shows all apps");
  }
  return std::move(*status);
}

AppStatus app_to_follow(Invocation& invocation, const AppHandle& handle, StatusDetail detail) {
  // poll() ignores a negative descriptor.
  return *app_unless_woken(invocation, handle, detail, /*wake_fd=*/-1);
}

std::optional<AppStatus> app_unless_woken(Invocation& invocation, const AppHandle& handle,
                                          StatusDetail detail, int wake_fd) {
  Outage outage(handle.scheduler,
                [](LogLevel level, const std::string& message) { say(level, message); });
  while (true) {
    std::string why;
    try {
      AppStatus status = existing_app(invocation, handle, detail);
      outage.query_succeeded();
      return status;
    } catch (const Error& error) {
      if (error.code() != Code::kTemporary) throw;
      why = error.message();
    }
    outage.query_failed(why);
    const auto left = registry::time_until_call_limit();
    const auto limit = left ? std::optional(time_after(*left)) : std::nullopt;
    const auto end = earliest(outage.next_query(), limit);
    // No event announces that the scheduler answers again.
    pollfd wake{wake_fd, POLLIN, 0};
    while (std::chrono::steady_clock::now() < *end) {
      const int ready = ::poll(&wake, 1, poll_timeout(end));
      if (ready > 0) return std::nullopt;
      if (ready < 0 && errno != EINTR)
        throw Error(Code::kInternal, "cannot wait until " + handle.scheduler + " answers");
    }
    if (end == limit) throw Error(Code::kTimeout, handle.scheduler + " does not answer: " + why);
  }
}

WaitResult wait_within_limit(Invocation& invocation, const AppHandle& handle, WaitOptions options,
                             const std::string& consequence) {
  options.timeout = registry::time_until_call_limit();
  WaitResult result = WaitResult::kTimeout;
  try {
    result = invocation.runner().wait(handle, options);
  } catch (const Error& error) {
    if (!is_end_of_time_limit(error.code())) throw;
  }
  if (result != WaitResult::kTimeout) return result;
  throw Error(Code::kTimeout, handle.app_id + " has not ended" + consequence,
              "`slipway wait " + app_argument(handle.app_id) + "` waits for its end");
}

std::optional<AppStatus> app_to_remove(Invocation& invocation, const AppHandle& handle) {
  try {
    return existing_app(invocation, handle, StatusDetail::kApp);
  } catch (const Error& error) {
    if (error.code() != Code::kInvalid) throw;
    return std::nullopt;
  }
}

bool report_needs_replicas(Invocation& invocation, const Description& app) {
  return invocation.json() || app.state == AppState::kFailed;
}

AppStatus status_to_report(Invocation& invocation, AppStatus status) {
  if (!report_needs_replicas(invocation, status.description)) return status;
  return existing_app(invocation, status.handle);
}

std::string app_argument(const std::string& text) {
  return (text.starts_with('-') ? "-- " : "") + shell_quoted(text);
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) out.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

AppState parse_state(const std::string& option, const std::string& name) {
  const std::string upper = upper_case(name);
  if (const auto state = app_state_from(std::string_view(upper))) return *state;
  throw Error(Code::kUsage, option + " " + name + ": there is no such state",
              "the states are " + joined(kAppStateNames));
}

Stream parse_stream(const std::string& name) {
  for (const Stream stream : {Stream::kCombined, Stream::kStdout, Stream::kStderr}) {
    if (name == to_string(stream)) return stream;
  }
  throw Error(Code::kUsage, "--stream " + name + ": there is no such stream",
              "use combined, stdout or stderr");
}

}  // namespace slipway::cli
