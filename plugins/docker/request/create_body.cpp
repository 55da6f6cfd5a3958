#include <boost/json.hpp>

#include "plugins/docker/request/container_plan.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr const char* kLoopback = "127.0.0.1";

json::array env_of(const StrDict& env) {
  json::array out;
  for (const auto& [name, value] : env) out.push_back(json::string(name + "=" + value));
  return out;
}

json::object object_of(const StrDict& dict) {
  json::object out;
  for (const auto& [name, value] : dict) out[name] = value;
  return out;
}

json::array mounts_of(const ContainerPlan& container) {
  json::array out;
  for (const Mount& mount : container.mounts) {
    out.push_back({{"Target", mount.dst},
                   {"Source", mount.src},
                   {"Type", to_string(mount.kind)},
                   {"ReadOnly", mount.read_only}});
  }
  return out;
}

json::array devices_of(const ContainerPlan& container) {
  json::array out;
  for (const Mount& mount : container.devices) {
    out.push_back({{"PathOnHost", mount.src},
                   {"PathInContainer", mount.dst},
                   {"CgroupPermissions", mount.permissions}});
  }
  return out;
}

json::array device_requests(std::int32_t gpus) {
  if (gpus <= 0) return {};
  json::array requests;
  requests.push_back(json::object{{"Driver", ""},
                                  {"Count", gpus},
                                  {"DeviceIDs", json::array()},
                                  {"Capabilities", {json::array{"compute", "utility"}}},
                                  {"Options", json::object()}});
  return requests;
}

json::array ulimits_of(const std::vector<Ulimit>& limits) {
  json::array out;
  for (const Ulimit& limit : limits)
    out.push_back({{"Name", limit.name}, {"Soft", limit.soft}, {"Hard", limit.hard}});
  return out;
}

std::string port_key(std::int64_t port) { return std::to_string(port) + "/tcp"; }

json::object port_bindings(const AppPlan& plan, const ContainerPlan& container) {
  json::object out;
  for (const auto& [name, port] : container.ports) {
    const bool is_fixed = plan.options.ports == PortPolicy::kFixed;
    json::array hosts;  // without a HostPort, the engine chooses a free port
    hosts.push_back(json::object{{"HostIp", kLoopback},
                                 {"HostPort", is_fixed ? std::to_string(port) : std::string()}});
    out[port_key(port)] = std::move(hosts);
  }
  return out;
}

}  // namespace

bool publishes_ports(const AppPlan& plan) {
  return plan.options.ports != PortPolicy::kNone && plan.network != kHostNetwork &&
         plan.network != kNoNetwork;
}

std::string create_body(const AppPlan& plan, const ContainerPlan& container,
                        const std::string& app_text) {
  json::object labels = object_of(container.labels);
  if (!app_text.empty()) labels[kAppLabel] = app_text;
  json::object host = {{"NetworkMode", plan.network},
                       {"Privileged", plan.options.privileged},
                       {"Init", plan.options.init},
                       {"Mounts", mounts_of(container)},
                       {"Devices", devices_of(container)},
                       {"DeviceRequests", device_requests(container.gpus)},
                       {"Ulimits", ulimits_of(plan.options.ulimits)}};
  if (container.nano_cpus) host["NanoCpus"] = *container.nano_cpus;
  if (container.memory) host["Memory"] = *container.memory;
  if (container.shm_size) host["ShmSize"] = *container.shm_size;
  if (container.max_retries > 0) {
    host["RestartPolicy"] = {{"Name", "on-failure"}, {"MaximumRetryCount", container.max_retries}};
  }
  json::object body = {{"Image", container.image},     {"Cmd", json::value_from(container.command)},
                       {"Env", env_of(container.env)}, {"Hostname", container.hostname},
                       {"Labels", std::move(labels)},  {"StopTimeout", container.grace_s}};
  // An engine does not restart a container that got its stop signal, and without a named one every
  // signal counts as such: `slipway signal` would end the retries.
  if (container.max_retries > 0) body["StopSignal"] = "SIGTERM";
  if (!plan.options.user.empty()) body["User"] = plan.options.user;
  if (!container.cwd.empty()) body["WorkingDir"] = container.cwd;
  if (publishes_ports(plan) && !container.ports.empty()) {
    json::object exposed;
    for (const auto& [name, port] : container.ports) exposed[port_key(port)] = json::object();
    body["ExposedPorts"] = std::move(exposed);
    host["PortBindings"] = port_bindings(plan, container);
  }
  body["HostConfig"] = std::move(host);
  if (plan.makes_network) {
    // The names of the replicas in the app's network: trainer-0, and trainer for the first one.
    json::array aliases = {json::string(container.role + "-" + std::to_string(container.replica))};
    if (container.replica == 0) aliases.push_back(json::string(container.role));
    body["NetworkingConfig"] = {
        {"EndpointsConfig", {{plan.network, {{"Aliases", std::move(aliases)}}}}}};
  }
  return json::serialize(body);
}

std::string plan_json(const AppPlan& plan, const ContainerPlan& container) {
  json::object out = {{"name", container.name},
                      {"image", container.image},
                      {"command", json::value_from(container.command)},
                      {"environment", object_of(container.env)},
                      {"labels", object_of(container.labels)},
                      {"hostname", container.hostname},
                      {"network", plan.network},
                      {"privileged", plan.options.privileged},
                      {"init", plan.options.init},
                      {"stop_timeout", container.grace_s},
                      {"mounts", mounts_of(container)},
                      {"devices", devices_of(container)},
                      {"ulimits", ulimits_of(plan.options.ulimits)}};
  if (!plan.options.user.empty()) out["user"] = plan.options.user;
  if (!container.cwd.empty()) out["working_dir"] = container.cwd;
  if (container.nano_cpus) out["nano_cpus"] = *container.nano_cpus;
  if (container.memory) out["memory"] = *container.memory;
  if (container.shm_size) out["shm_size"] = *container.shm_size;
  if (container.gpus > 0) out["device_requests"] = device_requests(container.gpus);
  if (container.max_retries > 0) {
    out["restart_policy"] = {{"Name", "on-failure"}, {"MaximumRetryCount", container.max_retries}};
  }
  if (publishes_ports(plan)) out["port_bindings"] = port_bindings(plan, container);
  return json::serialize(out);
}

}  // namespace slipway::docker
