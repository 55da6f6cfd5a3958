#include "plugins/docker/scheduler/app_orders.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "plugins/docker/state/app_progress.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::docker {

namespace {

constexpr std::chrono::milliseconds kStopAnswerLimit{500};

/// `what` is the end of the request's path, such as "stop?t=0".
HttpRequest order_for(const Container& container, const std::string& what) {
  return post_request("/containers/" + container.id + "/" + what);
}

std::string why_not_signalled(const Container& container) {
  const AppState state = state_of(container);
  const std::string words = std::string(to_string(state)) + ", " + container.status;
  return is_terminal(state) ? "ended (" + words + ")" : "not running (" + words + ")";
}

bool has_mark(const std::vector<Container>& containers, const MarkOrder& order) {
  return std::any_of(containers.begin(), containers.end(), [&](const Container& one) {
    return one.id == order.container->id && one.mark == order.mark;
  });
}

}  // namespace

void mark_containers(const Engine& engine, const std::vector<MarkOrder>& orders, const Call& call) {
  std::vector<HttpRequest> requests;
  for (const MarkOrder& order : orders) {
    const std::string name = marked_name(*order.container, order.mark);
    requests.push_back(order_for(*order.container, "rename?name=" + url_text(name)));
  }
  const std::vector<Answer> answers = engine.ask_all(requests, call, kChangeLimit, kConnections);
  std::optional<std::vector<Container>> current;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    // 404: the container was removed meanwhile.
    if (answers[i].ok() || answers[i].status == 404) continue;
    // The engine refuses to give a container the name that it already has.
    if (!current) current = list_containers(engine, orders[i].container->app_id(), call);
    if (!has_mark(*current, orders[i])) throw engine_error("cannot mark a container", answers[i]);
  }
}

void stop_containers(const Engine& engine, const std::vector<const Container*>& containers,
                     const CancelOptions& options, const Call& call) {
  std::string what = "stop";
  if (options.now) {
    what = "stop?t=0";
  } else if (options.grace_ms) {
    what = "stop?t=" + std::to_string((*options.grace_ms + 999) / 1000);
  }
  std::vector<HttpRequest> requests;
  for (const Container* container : containers) {
    if (container->has_started() && container->is_live())
      requests.push_back(order_for(*container, what));
  }
  // The engine answers when the containers have ended. The caller does not need to wait for that.
  engine.order(requests, call, kStopAnswerLimit);
}

void cancel_containers(const Engine& engine, const std::vector<Container>& containers,
                       const CancelOptions& options, const Call& call) {
  if (containers.empty()) return;
  const std::optional<AppRules> rules = rules_of(containers);
  const AppProgress progress(rules, containers);
  std::vector<MarkOrder> marks;
  std::vector<const Container*> live;
  for (const ReplicaProgress& replica : progress.replicas()) {
    if (replica.is_final()) continue;
    live.push_back(&replica.current());
    if (!stops_app(replica.current().mark)) marks.push_back({&replica.current(), Mark::kCancelled});
  }
  if (live.empty()) return;
  mark_containers(engine, marks, call);
  stop_containers(engine, live, options, call);
}

void check_roles(const std::string& app_id, const std::vector<Container>& containers,
                 const std::vector<LogTarget>& targets) {
  std::vector<RoleSize> roles;
  for (const Container& container : containers) {
    if (roles.empty() || roles.back().role != container.role()) roles.push_back({container.role()});
    roles.back().replicas = std::max(roles.back().replicas, container.replica() + 1);
  }
  check_targets(app_id, roles, targets);
}

std::vector<SignalResult> signal_containers(const Engine& engine,
                                            const std::vector<Container>& containers,
                                            const SignalOrder& order, const Call& call) {
  check_roles(order.app_id, containers, order.targets);
  if (is_terminal(app_state(containers)))
    throw Error(Code::kPrecondition, "app " + order.app_id + " has ended");
  std::vector<SignalResult> out;
  std::vector<HttpRequest> requests;
  std::vector<std::size_t> rows;  // by request: the index of its result
  const std::optional<AppRules> rules = rules_of(containers);
  const AppProgress progress(rules, containers);
  for (const ReplicaProgress& replica : progress.replicas()) {
    const Container& container = replica.current();
    if (!order.names(container.role(), container.replica())) continue;
    SignalResult result{container.role(), container.replica(), false, {}};
    if (container.status == "running") {
      requests.push_back(order_for(container, "kill?signal=" + std::to_string(order.signal)));
      rows.push_back(out.size());
    } else {
      result.why = why_not_signalled(container);
    }
    out.push_back(std::move(result));
  }
  const std::vector<Answer> answers = engine.ask_all(requests, call, kSilenceLimit, kConnections);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    out[rows[i]].sent = answers[i].ok();
    if (!answers[i].ok()) out[rows[i]].why = engine_words(answers[i]);
  }
  return out;
}

}  // namespace slipway::docker
