#include "core/cli/apps/handle_argument.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kLast = "@last";

struct Known {
  AppHandle handle;
  TimeNs submitted_at;
};

/// The apps of all schedulers, in the order of `schedulers`; why some could not be asked is added
/// to `failures`. That an engine is not on this host says nothing about the app.
std::vector<Known> known_apps(Invocation& invocation, const std::vector<std::string>& schedulers,
                              std::string& failures) {
  std::vector<Known> out;
  for (const auto& [scheduler, items, error, lost] : invocation.runner().list_of(schedulers)) {
    if (error && error->code() != Code::kPrecondition)
      failures += "\n  " + scheduler + " could not be asked: " + error->message();
    for (const ListItem& item : items) {
      const std::string& session =
          item.session.empty() ? invocation.options().session : item.session;
      out.push_back({{scheduler, session, item.app_id}, item.submitted_at});
    }
  }
  return out;
}

std::vector<std::string> schedulers_in_order(Invocation& invocation) {
  std::vector<std::string> out = invocation.runner().scheduler_backends();
  std::stable_partition(out.begin(), out.end(),
                        [](const std::string& name) { return name == kDefaultScheduler; });
  return out;
}

/// Returns the app that was submitted last; each of `apps` is the newest of its scheduler.
AppHandle newest(const std::vector<Known>& apps) {
  const auto time = [](const Known& app) {
    return app.submitted_at.value_or(std::numeric_limits<std::int64_t>::min());
  };
  return std::max_element(apps.begin(), apps.end(),
                          [&](const Known& a, const Known& b) { return time(a) < time(b); })
      ->handle;
}

/// The app with exactly this id where most apps are, without listing all the others.
std::optional<AppHandle> at_hand(Invocation& invocation, const std::string& text) {
  AppHandle handle{kDefaultScheduler, invocation.options().session, text};
  try {
    const auto& scheduler = invocation.runner().scheduler(handle.scheduler, handle.session);
    if (scheduler.exists(text)) return handle;
  } catch (const Error&) {
    // the search below asks every scheduler and tells what is wrong with this one
  }
  return std::nullopt;
}

AppHandle search(Invocation& invocation, const std::string& text) {
  if (text != kLast) {
    if (auto handle = at_hand(invocation, text)) return *std::move(handle);
  }
  std::vector<Known> fitting;
  std::string failures;
  for (Known& app : known_apps(invocation, schedulers_in_order(invocation), failures)) {
    if (app.handle.app_id == text) return app.handle;
    // Each scheduler lists its newest app first, also when the clock was set back since the last
    // one.
    const bool is_first =
        fitting.empty() || fitting.back().handle.scheduler != app.handle.scheduler;
    if (text == kLast ? is_first : app.handle.app_id.compare(0, text.size(), text) == 0)
      fitting.push_back(std::move(app));
  }
  if (fitting.empty()) {
    throw Error(Code::kNotFound,
                (text == kLast ? std::string("there is no app yet")
                               : "there is no app " + spec::quoted(text)) +
                    failures,
                "`slipway list --all` shows all apps");
  }
  if (text == kLast) return newest(fitting);
  if (fitting.size() > 1) {
    std::string names;
    for (std::size_t i = 0; i < fitting.size() && i < 5; ++i)
      names += "\n  " + to_string(fitting[i].handle);
    throw Error(Code::kUsage,
                fmt::format("{} is the start of {} apps:{}{}", spec::quoted(text), fitting.size(),
                            names, fitting.size() > 5 ? "\n  ..." : ""),
                "write more of the app's id");
  }
  return fitting.front().handle;
}

}  // namespace

AppHandle find_app(Invocation& invocation, const std::string& text) {
  if (text.find(kMark) != std::string::npos) {
    AppHandle handle = parse_app_handle(text);
    if (handle.session.empty()) handle.session = invocation.options().session;
    return handle;
  }
  if (text.empty() || text.find('/') != std::string::npos)
    parse_app_handle(text);  // throws: it has no "://"
  return search(invocation, text);
}

LogSelection find_log(Invocation& invocation, const std::string& text) {
  if (text.find(kMark) != std::string::npos)
    return parse_log_identifier(text, invocation.options().session);
  const std::vector<std::string> parts = slash_parts(text, 0);
  LogSelection out;
  parse_log_replicas(text, parts, 1, out);
  out.app = find_app(invocation, parts[0]);
  return out;
}

}  // namespace slipway::cli
