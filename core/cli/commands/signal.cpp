#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/signal_name.hpp"

namespace slipway::cli {

namespace {

constexpr std::size_t kMostNames = 5;  // replicas that a message names

int parse_signal(const std::string& text) {
  if (const auto number = signal_number(text)) return *number;
  if (text.find("://") != std::string::npos) {
    throw Error(Code::kUsage, spec::quoted(text) + " is not a signal",
                "the app comes first: slipway signal HANDLE SIGNAL");
  }
  std::string name = upper_case(text);
  if (name.starts_with("SIG")) name.erase(0, 3);
  const std::string near = spec::did_you_mean(name, signal_names());
  throw Error(
      Code::kUsage, "there is no signal " + spec::quoted(text),
      near.empty() ? "write a name (USR1, SIGUSR1, RTMIN+3) or a number from 1 to 64" : near);
}

/// Replicas that a message names together.
struct ReplicaGroup {
  std::string why;  ///< why they did not get the signal; empty if they did
  std::vector<std::string> names;

  std::string text() const { return joined_first(names, kMostNames); }
};

/// Returns the replica of a result. A scheduler may have one result for all replicas (-1).
std::string name_of(const SignalResult& result) {
  if (result.replica < 0) return "the replicas";
  return fmt::format("{}/{}", result.role, result.replica);
}

/// Returns the replicas that did not get the signal, grouped by reason, in the order of `results`.
std::vector<ReplicaGroup> not_sent(const std::vector<SignalResult>& results) {
  std::vector<ReplicaGroup> out;
  for (const SignalResult& result : results) {
    if (result.sent) continue;
    auto group = std::find_if(out.begin(), out.end(),
                              [&](const ReplicaGroup& each) { return each.why == result.why; });
    if (group == out.end()) group = out.insert(out.end(), ReplicaGroup{result.why, {}});
    group->names.push_back(name_of(result));
  }
  return out;
}

/// Returns the replicas that got the signal.
ReplicaGroup sent(const std::vector<SignalResult>& results) {
  ReplicaGroup out;
  for (const SignalResult& result : results) {
    if (result.sent) out.names.push_back(name_of(result));
  }
  return out;
}

boost::json::object signal_json(const AppHandle& app, int signal,
                                const std::vector<SignalResult>& results) {
  boost::json::array replicas;
  for (const SignalResult& result : results) {
    replicas.push_back(boost::json::object{
        {"role", text_or_null(result.role)},
        {"replica", result.replica < 0 ? boost::json::value() : boost::json::value(result.replica)},
        {"sent", result.sent},
        {"why", text_or_null(result.why)}});
  }
  return {{"handle", to_string(app)},
          {"signal", signal_name(signal)},
          {"number", signal},
          {"replicas", std::move(replicas)}};
}

}  // namespace

int send_signal(Invocation& invocation, const SignalCommand& command) {
  SignalOrder order;
  order.signal = parse_signal(command.signal);
  const ReplicaSelection selection = find_replicas(invocation, command.handle);
  if (selection.role) {
    for (const std::string& role : comma_list(*selection.role))  // APP/ROLE,ROLE2
      order.targets.push_back({role, selection.replicas});
  }
  const std::string name = signal_name(order.signal);
  const std::vector<SignalResult> results = invocation.runner().signal(selection.app, order);
  const ReplicaGroup reached = sent(results);
  const std::vector<ReplicaGroup> others = not_sent(results);
  if (reached.names.empty()) {
    std::string reasons;
    for (const ReplicaGroup& group : others)
      reasons += fmt::format("\n  {}: {}", group.text(), group.why);
    throw Error(
        Code::kPrecondition,
        fmt::format("{} was sent to no replica of {}{}", name, selection.app.app_id, reasons),
        fmt::format("`slipway status {}` shows which replicas run",
                    app_argument(selection.app.app_id)));
  }
  if (invocation.json()) write_json(signal_json(selection.app, order.signal, results));
  say(LogLevel::kInfo,
      fmt::format("{} was sent to {} of {}", name, reached.text(), selection.app.app_id));
  for (const ReplicaGroup& group : others)
    say(LogLevel::kWarning,
        fmt::format("{} was not sent to {}: {}", name, group.text(), group.why));
  return kExitOk;
}

}  // namespace slipway::cli
