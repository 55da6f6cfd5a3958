#include "plugins/local/scheduler/port_map.hpp"

#include <map>
#include <optional>
#include <utility>

#include "plugins/local/engine/machine_leases.hpp"
#include "plugins/local/scheduler/port_picker.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr const char* kChosenAtLaunch = "(chosen at launch)";

const Role* role_named(const AppDef& app, const std::string& name) {
  for (const Role& role : app.roles) {
    if (role.name == name) return &role;
  }
  return nullptr;
}

/// Returns 0 for a text that is not a port.
std::uint16_t port_number(const std::string& text) {
  return plain_number<std::uint16_t>(text).value_or(0);
}

bool is_open(const LaunchGroup& group, const std::string& variable) {
  const std::string* value = find(group.env, variable);
  return value != nullptr && *value == kChosenAtLaunch;
}

bool has_open_port(const LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    if (is_open(group, port_variable(entry.first))) return true;
  }
  return false;
}

/// What is fixed is not picked.
void take_fixed(PortPicker& picker, const AppDef& app) {
  for (const Role& role : app.roles) {
    for (const auto& entry : role.port_map) {
      if (entry.second > 0) picker.take(static_cast<std::uint16_t>(entry.second));
    }
  }
}

void note_ports(LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    const std::string* value = find(group.env, port_variable(entry.first));
    const std::uint16_t number = value != nullptr ? port_number(*value) : std::uint16_t{0};
    if (number != 0) group.ports.emplace_back(entry.first, number);
  }
}

}  // namespace

std::string port_variable(std::string_view name) {
  std::string out = "SLIPWAY_PORT_";
  for (const char c : upper_case(name))
    out += (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

void add_port_variables(StrDict& env, const Role& role) {
  std::map<std::string, std::string> names;
  for (const auto& [name, number] : role.port_map) {
    const std::string variable = port_variable(name);
    const auto [first, added] = names.emplace(variable, name);
    if (!added) {
      throw Error(Code::kInvalid,
                  "the ports '" + first->second + "' and '" + name + "' would both be " + variable,
                  "give one of them another name", role.name);
    }
    if (find(env, variable) == nullptr)
      env.emplace_back(variable, number == 0 ? kChosenAtLaunch : std::to_string(number));
  }
}

std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app) {
  std::optional<PortPicker> picker;
  std::vector<LaunchGroup> groups;
  groups.reserve(plan.groups.size());
  for (LaunchGroup& group : plan.groups) {
    const Role* role = role_named(app, group.role);
    if (role == nullptr || role->port_map.empty()) {
      groups.push_back(std::move(group));
      continue;
    }
    const std::int32_t pieces = has_open_port(group, *role) ? group.count : 1;
    for (std::int32_t k = 0; k < pieces; ++k) {
      LaunchGroup& piece = groups.emplace_back(group);
      if (pieces > 1) {
        piece.first_replica += k;
        piece.count = 1;
      }
      for (const auto& entry : role->port_map) {
        const std::string variable = port_variable(entry.first);
        if (!is_open(piece, variable)) continue;
        if (!picker) {
          if (plan.lease_pool.empty()) plan.lease_pool = lease_pool();
          picker.emplace(plan.lease_pool);
          take_fixed(*picker, app);
        }
        set(piece.env, variable, std::to_string(picker->pick()));
      }
      note_ports(piece, *role);
    }
  }
  plan.groups = std::move(groups);
  if (!picker) return {};
  return std::move(*picker).leases();
}

}  // namespace slipway::local
