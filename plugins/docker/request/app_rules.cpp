#include "plugins/docker/request/app_rules.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <exception>
#include <utility>

#include "plugins/docker/request/role_ports.hpp"
#include "sdk/support/app_record.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "sdk/support/rules/option_reader.hpp"
#include "sdk/support/rules/ready_probe.hpp"
#include "sdk/support/rules/role_order.hpp"
#include "sdk/support/rules/role_rules.hpp"
#include "sdk/support/service_role.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

/// Keys of AppRules::text, a JSON object.
constexpr const char* kOptions = "options";
constexpr const char* kApp = "app";

/// `on_end` is a command, so it is not stored in a label: another user of the engine could set the
/// label, and Slipway would run that command. It is stored in the user's own files
/// (state/submitter_files.hpp).
constexpr const char* kOnEnd = "on_end";

/// Visits the options of LifeRules that this scheduler supports. Its `grace_s` is not one of them:
/// DockerOptions has it.
template <class Visit>
struct Supported {
  Visit& visit;

  template <class Field, class Kind>
  void operator()(const rules::Option& option, Field& field, Kind kind) {
    constexpr std::array<std::string_view, 7> kNames = {
        "retry_on", "backoff", "fail_fast", "timeout_s", "app_timeout_s", "max_parallel", kOnEnd};
    if (std::find(kNames.begin(), kNames.end(), option.name) != kNames.end())
      visit(option, field, kind);
  }
};

template <class Visit, class Life>
void visit_supported(Visit& visit, Life& life) {
  Supported<Visit> supported{visit};
  rules::visit_life_options(supported, life);
}

/// Returns the run options that set rules.
RunOpts declared_rules() {
  rules::Declaration declare;
  const rules::LifeRules defaults;
  visit_supported(declare, defaults);
  return std::move(declare.out);
}

/// Returns the app with only those fields that rules_for() reads, so that the label is short.
AppDef fields_for_rules(const AppDef& app) {
  AppDef out(app.name);
  for (const Role& role : app.roles) {
    Role copy(role.name);
    copy.num_replicas = role.num_replicas;
    copy.min_replicas = role.min_replicas;
    copy.max_retries = role.max_retries;
    copy.retry_policy = role.retry_policy;
    copy.port_map = role.port_map;
    copy.metadata_json = role.metadata_json;
    out.roles.push_back(std::move(copy));
  }
  return out;
}

/// Returns AppRules::text.
std::string text_of(const AppDef& app, const Cfg& cfg) {
  json::object options;
  for (const RunOpt& option : declared_rules()) {
    const Value* given = option.name == kOnEnd ? nullptr : cfg.find(option.name);
    if (given != nullptr && type_of(*given) != ValueType::kNone)
      options[option.name] = to_text(*given);
  }
  return json::serialize(
      json::object{{kOptions, std::move(options)},
                   {kApp, parse_deep_json(records::app_to_json(fields_for_rules(app)))}});
}

/// Returns the readiness probe of the role, with numbers of ports in place of their names and
/// macros. Other macros stay: ContainerProbe replaces them.
rules::ReadyProbe probe_of(const AppDef& app, const Role& role) {
  rules::ReadyProbe out = rules::ready_probe(role);
  for (std::string& word : out.command) {
    word = replace_port_macros(
        word, [&](const PortMacro& macro) { return port_named(macro, app, role); });
  }
  if (out.port_name.empty()) return out;
  PortMacro probed;
  probed.port = probed.written = out.port_name;
  if (port_named(probed, app, role))
    out.port = static_cast<std::uint16_t>(*find(role.port_map, out.port_name));
  return out;
}

/// Returns whether the engine can follow the role's rules for retries.
bool is_restarted_by_engine(const AppRules& rules, const RoleInApp& role) {
  if (role.rules.max_retries == 0) return true;
  if (role.rules.retry_on || role.rules.backoff || !rules.life.retry_on.any ||
      rules.life.backoff != rules::Backoff())
    return false;
  switch (role.rules.scope) {
    case rules::RetryScope::kReplica: return true;
    case rules::RetryScope::kRole: return role.replicas == 1;
    case rules::RetryScope::kApplication: return role.replicas == 1 && rules.roles.size() == 1;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> AppRules::role(std::string_view name) const {
  const auto found = std::find_if(roles.begin(), roles.end(),
                                  [&](const RoleInApp& one) { return one.name == name; });
  if (found == roles.end()) return std::nullopt;
  return static_cast<std::size_t>(found - roles.begin());
}

void declare_rules(RunOpts& options) { options.update(declared_rules()); }

AppRules rules_for(const AppDef& app, const Cfg& cfg) {
  check_services(app);
  AppRules out;
  rules::OptionReader read(cfg);
  visit_supported(read, out.life);
  const auto order = rules::role_order(app);
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    RoleInApp role{app.roles[i].name, app.roles[i].num_replicas,  rules::rules_of(app.roles[i]), {},
                   order[i],          probe_of(app, app.roles[i])};
    for (const rules::Dependency& one : role.order) {
      // The role exists: role_order() has checked it.
      const auto other = std::find_if(app.roles.begin(), app.roles.end(),
                                      [&](const Role& each) { return each.name == one.role; });
      role.awaited_roles.push_back(static_cast<std::size_t>(other - app.roles.begin()));
    }
    out.roles.push_back(std::move(role));
  }
  out.text = text_of(app, cfg);
  return out;
}

std::optional<AppRules> rules_in(std::string_view text) {
  try {
    const json::value parsed = parse_deep_json(text);
    Cfg cfg;
    const RunOpts declared = declared_rules();
    for (const auto& [name, value] : parsed.at(kOptions).as_object()) {
      const RunOpt* option = declared.get(std::string_view(name));
      if (option == nullptr || option->name == kOnEnd) return std::nullopt;
      auto read = run_option_value(option->type, std::string_view(value.as_string()));
      if (!read) return std::nullopt;
      cfg.set(option->name, std::move(*read));
    }
    const AppDef app = records::app_from_json(json::serialize(parsed.at(kApp)));
    // AppProgress treats a container whose role is not in the rules as one of the first role.
    if (app.roles.empty()) return std::nullopt;
    return rules_for(app, cfg);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool need_supervisor(const AppRules& rules) {
  const rules::LifeRules& life = rules.life;
  if (life.fail_fast || life.timeout_ms != 0 || life.app_timeout_ms != 0 ||
      life.max_parallel != 0 || !life.on_end.empty())
    return true;
  return std::any_of(rules.roles.begin(), rules.roles.end(), [&](const RoleInApp& role) {
    return role.rules.service || role.rules.min_replicas != 0 || role.rules.timeout_ms ||
           !role.order.empty() || role.ready.kind != rules::ReadyProbe::Kind::kNone ||
           !is_restarted_by_engine(rules, role);
  });
}

}  // namespace slipway::docker
