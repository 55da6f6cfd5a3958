#include "plugins/docker/scheduler/launch.hpp"

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/docker/images/image_pull.hpp"
#include "plugins/docker/scheduler/app_network.hpp"
#include "plugins/docker/scheduler/working_directories.hpp"
#include "plugins/docker/state/container.hpp"

namespace slipway::docker {

namespace {

std::string name_of(const ContainerPlan& container) {
  return container.role + "/" + std::to_string(container.replica);
}

void create_all(const Engine& engine, const AppPlan& plan, const std::string& app_text,
                const Call& call) {
  std::vector<HttpRequest> requests;
  for (const ContainerPlan& container : plan.containers) {
    // Only the first container keeps the app.
    requests.push_back(
        post_request("/containers/create?name=" + url_text(container.name),
                     create_body(plan, container, requests.empty() ? app_text : std::string())));
  }
  const std::vector<Answer> answers = engine.ask_all(requests, call, kChangeLimit, kConnections);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].ok())
      throw engine_error("cannot create the container of " + name_of(plan.containers[i]),
                         answers[i]);
  }
}

void check_start(const ContainerPlan& container, const Answer& answer) {
  if (!answer.ok()) throw engine_error("cannot start " + name_of(container), answer);
}

/// Starts the containers that do not wait.
void start_all(const Engine& engine, const AppPlan& plan, const Call& call) {
  std::vector<HttpRequest> requests;
  std::vector<const ContainerPlan*> started;
  for (const ContainerPlan& container : plan.containers) {
    if (container.waits) continue;
    started.push_back(&container);
    requests.push_back(post_request("/containers/" + url_text(container.name) + "/start"));
  }
  // At least one container does not wait, because roles cannot wait for each other in a circle. Its
  // start shows whether the engine can connect containers to the network.
  const Answer first = engine.ask(requests.front(), call, kChangeLimit);
  if (plan.makes_network && cannot_connect(first)) throw NoNetwork{engine_words(first)};
  check_start(*started.front(), first);
  requests.erase(requests.begin());
  const std::vector<Answer> answers = engine.ask_all(requests, call, kChangeLimit, kConnections);
  for (std::size_t i = 0; i < answers.size(); ++i) check_start(*started[i + 1], answers[i]);
}

void launch_once(const Engine& engine, const AppPlan& plan, const std::string& app_text,
                 const Call& call) {
  if (plan.makes_network) make_network(engine, plan, call);
  create_all(engine, plan, app_text, call);
  start_all(engine, plan, call);
}

/// Removes what a failed launch has left. Also works after a cancellation. Repeats the removal,
/// because the engine may still create the containers of the last requests.
void take_back(const Engine& engine, const AppPlan& plan) {
  constexpr int kRounds = 3;
  constexpr bool kForce = true;
  try {
    for (int round = 0; round < kRounds; ++round) remove_app(engine, plan.app_id, kForce, Call());
  } catch (const Error& error) {
    throw Error(Code::kOutcomeUnknown,
                "the app may be running: its submission failed, and its containers could not be "
                "removed: " +
                    error.message(),
                "`docker ps -a --filter label=" + std::string(kAppIdLabel) + "=" + plan.app_id +
                    "` shows them when the engine answers");
  }
}

}  // namespace

void launch(const Engine& engine, const AppPlan& requested, const std::string& app_text,
            const Host& host, const Call& call) {
  std::set<std::string> images;
  for (const ContainerPlan& container : requested.containers) {
    if (images.insert(container.image).second)
      provide_image(engine, container.image, requested.options.pull, host, call);
  }
  const AppPlan plan = with_working_directories(engine, requested, call);
  std::optional<NoNetwork> no_network;
  try {
    launch_once(engine, plan, app_text, call);
  } catch (const NoNetwork& error) {
    no_network = error;
    take_back(engine, plan);
  } catch (const Error&) {
    take_back(engine, plan);
    throw;
  }
  if (!no_network) return;
  host.log(LogLevel::kWarning,
           "docker: the engine cannot make a network for the app (" + no_network->why +
               "); the app uses the host's network, where replicas share all ports");
  const AppPlan on_host = on_host_network(plan);
  try {
    launch_once(engine, on_host, app_text, call);
  } catch (const Error&) {
    take_back(engine, on_host);
    throw;
  }
}

void remove_app(const Engine& engine, const std::string& app_id, bool force, const Call& call) {
  std::vector<HttpRequest> requests;
  for (const Container& container : containers_in(engine.ask(list_request(app_id), call))) {
    requests.push_back(
        delete_request("/containers/" + container.id + (force ? "?v=1&force=1" : "?v=1")));
  }
  for (const Answer& answer : engine.ask_all(requests, call, kChangeLimit, kConnections)) {
    // 404: the container is gone. 409: the engine is removing it.
    if (!answer.ok() && answer.status != 404 && answer.status != 409)
      throw engine_error("cannot remove the containers of app " + app_id, answer);
  }
  remove_network(engine, app_id, call);
}

}  // namespace slipway::docker
