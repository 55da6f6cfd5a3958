#include "plugins/docker/scheduler/app_network.hpp"

#include <boost/json.hpp>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/docker/engine/json_text.hpp"
#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr int kNoSuchObject = 404;

std::string label_filter(const std::string& label) {
  return "filters=" + url_text(json::serialize(json::object{{"label", json::array{label}}}));
}

/// Returns whether the engine cannot make networks: the kernel may lack bridges, pairs of virtual
/// interfaces or packet filters, or refuse them in a container; or no addresses are left.
bool cannot_make_networks(const Answer& answer) {
  return mentions(engine_words(answer), {"veth", "bridge", "iptables", "operation not supported",
                                         "address pool", "No chain"});
}

Answer try_to_make_network(const Engine& engine, const AppPlan& plan, const Call& call) {
  const json::object network = {
      {"Name", plan.network}, {"CheckDuplicate", true}, {"Labels", {{kAppIdLabel, plan.app_id}}}};
  return engine.ask(post_request("/networks/create", json::serialize(network)), call, kChangeLimit);
}

/// Returns the id of each app's network, by the id of the app.
std::map<std::string, std::string> networks_by_app(const Engine& engine, const Call& call) {
  HttpRequest request;
  request.target = "/networks?" + label_filter(kAppIdLabel);
  std::map<std::string, std::string> out;
  boost::system::error_code error;
  const Answer answer = engine.ask(request, call);
  if (!answer.ok()) throw engine_error("the Docker engine does not list its networks", answer);
  const json::value parsed = json::parse(answer.body, error);
  if (error || !parsed.is_array()) return out;
  for (const json::value& each : parsed.get_array())
    // kAppIdLabel; "~1" is a slash in the key of a JSON pointer.
    out[text_at(each, "/Labels/torchx.pytorch.org~1app-id")] = text_at(each, "/Id");
  return out;
}

/// Removes the endpoints of containers that no longer exist from the network.
void remove_old_endpoints(const Engine& engine, const std::string& network, const Call& call) {
  HttpRequest request;
  request.target = "/networks/" + network;
  boost::system::error_code error;
  const json::value parsed = json::parse(engine.ask(request, call).body, error);
  const json::value* endpoints = error ? nullptr : parsed.find_pointer("/Containers", error);
  if (endpoints == nullptr || !endpoints->is_object()) return;
  for (const auto& [key, endpoint] : endpoints->get_object()) {
    const std::string name = text_at(endpoint, "/Name");
    HttpRequest inspection;
    inspection.target = "/containers/" + url_text(name) + "/json";
    if (!name.empty() && engine.ask(inspection, call).status == kNoSuchObject)
      remove_endpoint(engine, network, name, call);
  }
}

/// Removes the networks of apps that have ended. Keeps a network without containers, because its
/// app may be starting.
void remove_networks_of_ended_apps(const Engine& engine, const Call& call) {
  std::map<std::string, std::vector<Container>> apps;
  for (const Container& container : containers_in(engine.ask(list_request({}), call)))
    apps[container.app_id()].push_back(container);
  const auto networks = networks_by_app(engine, call);
  std::vector<HttpRequest> requests;
  for (auto& [app_id, containers] : apps) {
    const auto network = networks.find(app_id);
    if (network == networks.end()) continue;
    sort_replicas(containers);
    inspect_for_state(engine, containers, call);
    if (containers.empty() || !is_terminal(app_state(containers))) continue;
    requests.push_back(delete_request("/networks/" + network->second));
  }
  engine.ask_all(requests, call, kChangeLimit);
}

}  // namespace

bool cannot_connect(const Answer& start) {
  // Single words such as `bridge` are not enough: the engine quotes the user's programs and files.
  return !start.ok() && mentions(engine_words(start),
                                 {"failed to create endpoint", "connectivity on endpoint",
                                  "container networking", "network sandbox", "(veth",
                                  "interface veth", "iptables failed", "address pool", "netavark"});
}

void make_network(const Engine& engine, const AppPlan& plan, const Call& call) {
  Answer answer = try_to_make_network(engine, plan, call);
  if (!answer.ok() && engine_words(answer).find("address pool") != std::string::npos) {
    remove_networks_of_ended_apps(engine, call);
    answer = try_to_make_network(engine, plan, call);
  }
  if (answer.ok()) return;
  if (cannot_make_networks(answer)) throw NoNetwork{engine_words(answer)};
  throw engine_error("cannot make the network " + plan.network, answer);
}

void remove_endpoint(const Engine& engine, const std::string& network, const std::string& name,
                     const Call& call) {
  // With `Force`, the engine disconnects a name that no container has.
  const json::object body = {{"Container", name}, {"Force", true}};
  const Answer answer = engine.ask(
      post_request("/networks/" + url_text(network) + "/disconnect", json::serialize(body)), call,
      kChangeLimit);
  if (!answer.ok() && answer.status != kNoSuchObject)
    throw engine_error("cannot remove " + name + " from the network " + network, answer);
}

void remove_network(const Engine& engine, const std::string& app_id, const Call& call) {
  const std::string filter = label_filter(std::string(kAppIdLabel) + "=" + app_id);
  const Answer answer = engine.ask(post_request("/networks/prune?" + filter), call, kChangeLimit);
  constexpr int kConflict = 409;  // the engine carries out another prune
  if (!answer.ok() && answer.status != kConflict)
    throw engine_error("cannot remove the network of app " + app_id, answer);
  // The engine has kept the network if a container uses it, if it has old endpoints, or after a
  // conflict.
  const auto networks = networks_by_app(engine, call);
  const auto own = networks.find(app_id);
  if (own == networks.end()) return;
  remove_old_endpoints(engine, own->second, call);
  const Answer removal = engine.ask(delete_request("/networks/" + own->second), call, kChangeLimit);
  constexpr int kInUse = 403;
  if (!removal.ok() && removal.status != kInUse && removal.status != kNoSuchObject)
    throw engine_error("cannot remove the network of app " + app_id, removal);
}

}  // namespace slipway::docker
