#include "plugins/local/scheduler/role_ports.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/scheduler/port_map.hpp"
#include "sdk/support/port_macros.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr const char* kHost = "localhost";
constexpr std::string_view kRendezvousPort = "c10d";
constexpr std::int32_t kDefaultRendezvous = 29500;
/// The text before the port in the command line that dist.ddp makes for several nodes:
/// `--rdzv_endpoint $${${rank0_env}:=localhost}:29500`.
constexpr std::string_view kEndpoint = "${rank0_env}:=localhost}:";

/// The endpoint that dist.ddp writes for one node: torchrun itself chooses a port.
constexpr std::string_view kEndpointOfOneNode = " --rdzv_endpoint localhost:0 ";

/// Returns kEndpoint with the default port.
std::string rendezvous_text() {
  return std::string(kEndpoint) + std::to_string(kDefaultRendezvous);
}

using FirstGroups = std::map<std::string_view, const LaunchGroup*>;

/// Returns the group of replica 0 of each role.
FirstGroups first_groups(const LaunchPlan& plan) {
  FirstGroups out;
  for (const LaunchGroup& group : plan.groups) out.emplace(group.role, &group);
  return out;
}

/// Returns the known port `name` of a group.
std::optional<std::string> port_text(const LaunchGroup& group, std::string_view name) {
  const std::string* value = find(group.env, port_variable(name));
  if (value == nullptr || *value == kChosenAtLaunch) return std::nullopt;
  return *value;
}

/// Returns the variables about the ports of all roles, with the values that are known. Throws
/// kInvalid if two roles need the same variable.
StrDict role_variables(const LaunchPlan& plan, const AppDef& app) {
  const FirstGroups first = first_groups(plan);
  StrDict out;
  std::map<std::string, std::string_view> roles;  // the first role of each variable
  const auto add = [&](const Role& role, const std::string& variable, const std::string& value) {
    const auto [other, is_new] = roles.emplace(variable, role.name);
    if (is_new) {
      out.emplace_back(variable, value);
    } else if (*find(out, variable) != kHost || value != kHost) {  // all roles have this host
      throw Error(Code::kInvalid,
                  "the roles '" + std::string(other->second) + "' and '" + role.name +
                      "' would both have the variable " + variable,
                  "give one of them, or its port, another name", role.name);
    }
  };
  for (const Role& role : app.roles) {
    const auto group = first.find(role.name);
    if (role.port_map.empty() || group == first.end()) continue;
    const std::string start = "SLIPWAY_ROLE_" + variable_part(role.name);
    add(role, start + "_HOST", kHost);
    for (const auto& [name, number] : role.port_map) {
      add(role, start + "_PORT_" + variable_part(name),
          port_text(*group->second, name).value_or(kChosenAtLaunch));
    }
  }
  return out;
}

/// Returns whether dist.ddp made the role, with its default port.
bool has_default_rendezvous(const Role& role) {
  const auto* port = find(role.port_map, kRendezvousPort);
  if (port == nullptr || *port != kDefaultRendezvous) return false;
  return std::any_of(role.args.begin(), role.args.end(), [&](const std::string& arg) {
    if (role.num_replicas == 1)
      return arg.starts_with("torchrun ") && arg.find(kEndpointOfOneNode) != std::string::npos;
    // The space excludes a longer port number.
    return arg.find(rendezvous_text() + ' ') != std::string::npos;
  });
}

}  // namespace

void set_role_variables(LaunchPlan& plan, const AppDef& app) {
  if (app.roles.size() < 2) return;
  const StrDict all = role_variables(plan, app);
  for (LaunchGroup& group : plan.groups) {
    for (const auto& [name, value] : all) {
      const std::string* known = find(group.env, name);
      if (known == nullptr || *known == kChosenAtLaunch) set(group.env, name, value);
    }
  }
}

void fill_port_macros(LaunchPlan& plan) {
  const FirstGroups first = first_groups(plan);
  for (LaunchGroup& group : plan.groups) {
    const auto value = [&](const PortMacro& macro) -> std::optional<std::string> {
      if (macro.role.empty()) return port_text(group, macro.port);
      const auto other = first.find(macro.role);
      if (other == first.end()) return std::nullopt;
      return macro.port.empty() ? kHost : port_text(*other->second, macro.port);
    };
    const auto fill = [&](std::string& text) {
      if (text.find("${") != std::string::npos) text = replace_port_macros(text, value);
    };
    std::for_each(group.argv.begin() + 1, group.argv.end(), fill);
    for (auto& entry : group.env) fill(entry.second);
    for (std::string& word : group.needs.ready.command) fill(word);
  }
}

Role with_own_rendezvous(const Role& role) {
  if (!has_default_rendezvous(role)) return role;
  Role out = role;
  set(out.port_map, std::string(kRendezvousPort), std::int64_t{0});
  const std::string text = rendezvous_text();
  for (std::string& arg : out.args) {
    const std::size_t at = arg.find(text + ' ');
    if (at != std::string::npos)
      arg.replace(at, text.size(), std::string(kEndpoint) + "${port.c10d}");
  }
  return out;
}

bool shares_port(const Role& role, std::string_view name) {
  return name == kRendezvousPort && has_default_rendezvous(role);
}

}  // namespace slipway::local
