#include "plugins/docker/request/plan_builder.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plugins/docker/request/role_ports.hpp"
#include "sdk/support/port_macros.hpp"
#include "sdk/support/rules/role_metadata.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"
#include "slipway/role_macros.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::docker {

namespace {

constexpr std::size_t kNamePart = 30;  // characters; two parts and a digit fit into a hostname
constexpr std::size_t kLongestHostname = 63;

/// Returns the characters of `text`, as views of it.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length_at(text, at), 1);
    out.push_back(text.substr(at, length));
    at += length;
  }
  return out;
}

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Returns the host name of a container: its name, without the start of one that is too long,
/// because the end has the number of the replica.
std::string hostname_of(const std::string& name) {
  if (name.size() <= kLongestHostname) return name;
  const auto end_part = name.end() - static_cast<std::ptrdiff_t>(kLongestHostname);
  // A host name starts with a letter or a digit.
  return {std::find_if(end_part, name.end(), &is_alphanumeric), name.end()};
}

/// Returns the variables that `copy_env` selects and the role does not set.
StrDict copied_variables(const Role& role, const DockerOptions& options, const PlanPlace& place) {
  StrDict out;
  for (const std::string& variable : place.environment) {
    const std::size_t equals = variable.find('=');
    const std::string name = variable.substr(0, equals);
    if (find(role.env, name) != nullptr) continue;
    const bool is_copied = std::any_of(
        options.copy_env.begin(), options.copy_env.end(), [&](const std::string& pattern) {
          return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
        });
    if (is_copied) set(out, name, variable.substr(equals + 1));
  }
  return out;
}

void add_default(StrDict& env, std::string_view name, std::string value) {
  if (find(env, name) == nullptr) env.emplace_back(std::string(name), std::move(value));
}

void set_resource(ContainerPlan& out, const Resource& resource, const DockerOptions& options) {
  if (resource.cpu.is_set()) out.nano_cpus = resource.cpu.milli() * 1'000'000;
  if (resource.mem_mb >= 0) out.memory = out.shm_size = resource.mem_mb << 20;
  if (options.shm_mb) out.shm_size = *options.shm_mb << 20;
  out.gpus = std::max(resource.gpu, 0);
}

std::string ports_text(const IntDict& ports) {
  std::string out = "{";
  for (const auto& [name, port] : ports)
    out += (out.size() > 1 ? "," : "") + json_quote(name) + ":" + std::to_string(port);
  return out + "}";
}

void report_findings(const Role& role, const Scheduler::OnFinding& on_finding,
                     const StrList& unknown_devices) {
  if (!on_finding) return;
  for (const std::string& device : unknown_devices) {
    on_finding({Finding::Kind::kIgnored, role.name, "resource.devices",
                "no device files are known for " + device});
  }
}

/// Throws Error kInvalid if the number of a port that the engine would publish is 0, or if two
/// containers would publish one port of the machine.
void check_ports(const AppPlan& plan) {
  if (!publishes_ports(plan)) return;
  for (const ContainerPlan& container : plan.containers) {
    for (const auto& [name, port] : container.ports) {
      if (port != 0) continue;
      throw Error(Code::kInvalid,
                  "role " + container.role + ": the port " + name +
                      " in port_map is 0, and nothing chooses a port inside a container",
                  "give it the number at which the program listens");
    }
  }
  if (plan.options.ports != PortPolicy::kFixed) return;
  std::set<std::int64_t> used;
  for (const ContainerPlan& container : plan.containers) {
    for (const auto& [name, port] : container.ports) {
      if (used.insert(port).second) continue;
      throw Error(Code::kInvalid,
                  "run option ports=fixed: two replicas would publish port " + std::to_string(port),
                  "use ports=leased: each replica then has a port of its own, which status shows");
    }
  }
}

/// Throws Error kInvalid if two containers would have the same name.
void check_names(const AppPlan& plan) {
  std::map<std::string_view, std::string_view> used;  // name of the container -> its role
  for (const ContainerPlan& container : plan.containers) {
    const auto [other, is_new] = used.emplace(container.name, container.role);
    if (is_new) continue;
    throw Error(Code::kInvalid,
                "roles " + std::string(other->second) + " and " + container.role +
                    " would have containers of the same name, " + container.name +
                    ": it has only the first " + std::to_string(kNamePart) +
                    " characters of the role's name, with '_' for those that the engine refuses",
                "rename role " + container.role);
  }
}

class Builder {
 public:
  Builder(const AppDef& app, const DockerOptions& options, const AppRules& rules,
          const PlanPlace& place)
      : app_(app), options_(options), rules_(rules), place_(place) {
    plan_.is_supervised = need_supervisor(rules);
    plan_.on_end = rules.life.on_end;
    plan_.app_id = place.app_id;
    plan_.options = options;
    plan_.makes_network = options.network.empty();
    plan_.network = plan_.makes_network ? network_name() : options.network;
    has_names_ = plan_.network != kHostNetwork && plan_.network != kNoNetwork;
  }

  void add(const Role& role, const Scheduler::OnFinding& on_finding) {
    StrList unknown;
    std::vector<Mount> devices = place_.device_mounts(role.resource.devices, unknown);
    for (const Mount& mount : role.mounts) {
      if (!is_known(mount.kind)) {
        throw Error(Code::kUnimplemented,
                    "role " + role.name + " has a mount of a kind that is not known");
      }
      if (mount.kind == MountKind::kDevice) devices.push_back(mount);
    }
    report_findings(role, on_finding, unknown);
    for (std::int32_t id = 0; id < role.num_replicas; ++id) add(role, id, devices);
    ++plan_role_;
  }

  AppPlan take() {
    check_names(plan_);
    check_ports(plan_);
    return std::move(plan_);
  }

 private:
  /// Returns the part that the names of all containers of the app have in common.
  std::string network_name() const {
    std::string out = container_name(place_.app_id, "x", 0);
    return out.substr(0, out.size() - std::string_view("-x-0").size());
  }

  /// Returns the role with its macros of ports and hosts replaced. Throws Error kInvalid for a port
  /// that is 0.
  Role with_ports(Role role, bool has_names) const {
    const auto value = [&](const PortMacro& macro) -> std::optional<std::string> {
      if (!macro.port.empty()) return port_named(macro, app_, role);
      const std::string name(macro.role);
      return rules_.role(name) ? std::optional(host_of(name, has_names)) : std::nullopt;
    };
    each_port_macro_text(role, [&](std::string& text) { text = replace_port_macros(text, value); });
    return role;
  }

  std::string host_of(const std::string& role, bool has_names) const {
    return has_names ? container_name(place_.app_id, role, 0) : "localhost";
  }

  /// Sets the command and the variables of a replica. With `has_names`, containers reach each other
  /// by their names.
  void set_program(ContainerPlan& out, const Role& role, bool has_names) const {
    const std::string id = std::to_string(out.replica);
    MacroValues values;
    values.app_id = place_.app_id;
    values.replica_id = id;
    values.rank0_env = kRank0Variable;
    const Role filled = apply_macros(with_ports(role, has_names), values);
    out.command = filled.args;
    out.command.insert(out.command.begin(), role.entrypoint);
    out.env = copied_variables(filled, options_, place_);
    out.copied.clear();
    for (const auto& variable : out.env) out.copied.push_back(variable.first);
    for (const auto& [name, value] : filled.env) set(out.env, name, value);
    set<std::string>(out.env, kRank0Variable, host_of(app_.roles.front().name, has_names));
    add_default(out.env, "SLIPWAY_APP_ID", place_.app_id);
    add_default(out.env, "SLIPWAY_ROLE", role.name);
    add_default(out.env, "SLIPWAY_REPLICA_ID", id);
    add_default(out.env, "TORCHX_MAX_RETRIES", std::to_string(role.max_retries));
    add_default(out.env, "PYTHONUNBUFFERED", "1");
    if (plan_.is_supervised) add_default(out.env, "SLIPWAY_ATTEMPT", "1");
    // The engine's init then passes a signal to the whole process group.
    if (options_.init) add_default(out.env, "TINI_KILL_PROCESS_GROUP", "1");
    std::sort(out.env.begin(), out.env.end());
  }

  void add(const Role& role, std::int32_t id, const std::vector<Mount>& devices) {
    ContainerPlan out;
    out.name = container_name(place_.app_id, role.name, id);
    out.hostname = hostname_of(out.name);
    out.role = role.name;
    out.replica = id;
    out.image = role.image;
    out.cwd = rules::own_cwd(role);
    if (plan_.makes_network) {
      set_program(out, role, /*has_names=*/false);
      out.command_on_host = std::move(out.command);
      out.env_on_host = std::move(out.env);
    }
    set_program(out, role, has_names_);
    out.labels = {{kVersionLabel, "slipway-" SLIPWAY_VERSION},
                  {kAppIdLabel, place_.app_id},
                  {kRoleLabel, role.name},
                  {kReplicaLabel, std::to_string(id)},
                  {kSessionLabel, place_.session},
                  {kSchedulerLabel, place_.scheduler},
                  {kNameLabel, app_.name},
                  {kIndexLabel, std::to_string(plan_.containers.size())}};
    if (!role.port_map.empty()) out.labels.emplace_back(kPortsLabel, ports_text(role.port_map));
    for (const Mount& mount : role.mounts) {
      if (mount.kind != MountKind::kDevice) out.mounts.push_back(mount);
    }
    out.devices = devices;
    out.ports = role.port_map;
    set_resource(out, role.resource, options_);
    const RoleInApp& rules = rules_.roles[plan_role_];
    // The engine counts in whole seconds.
    out.grace_s = rules.rules.grace_ms ? (*rules.rules.grace_ms + 999) / 1000 : options_.grace_s;
    if (plan_.is_supervised) {
      supervise(out, rules);
    } else {
      out.max_retries = role.max_retries;  // the engine restarts the container
    }
    plan_.containers.push_back(std::move(out));
  }

  /// Adds what a container of an app with a supervisor has, and decides whether it starts at once.
  void supervise(ContainerPlan& out, const RoleInApp& role) {
    out.labels.emplace_back(kAttemptLabel, "1");
    out.labels.emplace_back(kAppRestartsLabel, "0");
    out.labels.emplace_back(kRoleRestartsLabel, "0");
    // Only the first container has the rules.
    if (plan_.containers.empty()) out.labels.emplace_back(kRulesLabel, rules_.text);
    const std::int32_t slots = rules_.life.max_parallel;
    const bool has_slot = slots == 0 || role.rules.service || started_ < slots;
    out.waits = !role.order.empty() || !has_slot;
    if (!out.waits && !role.rules.service) ++started_;
  }

  const AppDef& app_;
  const DockerOptions& options_;
  const AppRules& rules_;
  const PlanPlace& place_;
  AppPlan plan_;
  std::size_t plan_role_ = 0;  // index of the role that is being added
  std::int32_t started_ = 0;   // number of containers, without services, that start at once
  bool has_names_ = false;     // whether containers reach each other by their names
};

}  // namespace

std::string container_name(const std::string& app_id, const std::string& role,
                           std::int32_t replica) {
  const std::vector<std::string_view> id = characters(app_id);
  const std::vector<std::string_view> name = characters(role);
  std::vector<std::string_view> all(
      id.end() - static_cast<std::ptrdiff_t>(std::min(id.size(), kNamePart)), id.end());
  all.emplace_back("-");
  all.insert(all.end(), name.begin(),
             name.begin() + static_cast<std::ptrdiff_t>(std::min(name.size(), kNamePart)));
  std::string out;
  for (const std::string_view each : all) {
    const char c = each.front();
    const bool is_plain =
        each.size() == 1 && (is_alphanumeric(c) || c == '.' || c == '_' || c == '-');
    // A name starts with a letter or a digit.
    if (out.empty() && !(each.size() == 1 && is_alphanumeric(c))) continue;
    out += is_plain ? c : '_';
  }
  return out + "-" + std::to_string(replica);
}

std::vector<AppField> acted_on(const DockerOptions& options) {
  // By field: empty, or the option with which the scheduler would act on the field.
  return {
      {"image", ""},
      {"min_replicas", ""},
      {"max_retries", ""},
      {"retry_policy.APPLICATION", ""},
      {"retry_policy.REPLICA", ""},
      {"retry_policy.ROLE", ""},
      {"port_map", options.ports == PortPolicy::kNone ? "without -c ports=none" : ""},
      {"metadata", ""},
      {"resource.cpu", ""},
      {"resource.cpu.fraction", ""},
      {"resource.gpu", ""},
      {"resource.memMB", ""},
      {"resource.devices", ""},
      {"mounts.bind", ""},
      {"mounts.volume", ""},
      {"mounts.device", ""},
      {"macros", ""},
      {"service", ""},
      {"cwd", ""},
      {"timeout_s", ""},
      {"grace_s", ""},
      {"retry_on", ""},
      {"backoff", ""},
      {"ready", ""},
      {"depends_on", ""},
      {"app.metadata", ""},
  };
}

AppPlan build_plan(const AppDef& app, const DockerOptions& options, const AppRules& rules,
                   const PlanPlace& place, const Scheduler::OnFinding& on_finding) {
  if (app.roles.empty()) throw Error(Code::kInvalid, "the app has no roles");
  Builder builder(app, options, rules, place);
  for (const Role& role : app.roles) {
    if (role.resource.mem_mb > kMostMebibytes)
      throw Error(Code::kInvalid, "role " + role.name + ": its memory is out of range");
    if (role.image.empty() || role.image == kMissing) {
      throw Error(Code::kInvalid, "role " + role.name + " has no image",
                  "name one that the engine has or can pull, as in image = \"python:3.12\"");
    }
    builder.add(role, on_finding);
  }
  return builder.take();
}

}  // namespace slipway::docker
