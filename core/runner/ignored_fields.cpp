#include "core/runner/ignored_fields.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/spec/app_file.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "slipway/role_macros.hpp"

namespace slipway {

namespace {

constexpr const char* kNotActedOn = "it does not act on this";
constexpr const char* kCpuFraction = "resource.cpu.fraction";
constexpr const char* kNoSuchOption = "it has no such run option";

bool has_macros(const Role& role) {
  const Role replaced = apply_macros(role, MacroValues{});
  return replaced.args != role.args || replaced.env != role.env ||
         replaced.metadata_json != role.metadata_json;
}

/// Returns the names of the fields that the role sets, as slipway_app_field (abi/scheduler.h) lists
/// them.
std::vector<std::string> set_fields(const Role& role) {
  std::vector<std::string> out;
  const auto add = [&](bool is_set, std::string name) {
    if (is_set) out.push_back(std::move(name));
  };
  add(!role.image.empty() && role.image != kNoneText, "image");
  add(!role.base_image.empty(), "base_image");
  add(role.min_replicas.has_value(), "min_replicas");
  add(role.max_retries > 0, "max_retries");
  add(role.max_retries > 0, std::string("retry_policy.") + to_string(role.retry_policy));
  add(!role.port_map.empty(), "port_map");
  bool has_other_metadata = false;
  for (const auto& [key, value] : metadata_of(role)) {
    const std::string_view name = role_key_in(std::string_view(key));
    has_other_metadata = has_other_metadata || !is_role_key(name);
    add(is_role_key(name), std::string(name));
  }
  add(has_other_metadata, "metadata");
  add(!role.deployment_preference.empty(), "deployment_preference");
  add(role.resource.cpu.milli() > 0, "resource.cpu");
  add(!role.resource.cpu.is_whole(), kCpuFraction);
  add(role.resource.gpu > 0, "resource.gpu");
  add(role.resource.mem_mb > 0, "resource.memMB");
  add(!role.resource.capabilities_json.empty(), "resource.capabilities");
  add(!role.resource.devices.empty(), "resource.devices");
  add(!role.resource.tags_json.empty(), "resource.tags");
  for (const MountKind kind : {MountKind::kBind, MountKind::kVolume, MountKind::kDevice}) {
    const bool is_set = std::any_of(role.mounts.begin(), role.mounts.end(),
                                    [&](const Mount& mount) { return mount.kind == kind; });
    add(is_set, std::string("mounts.") + to_string(kind));
  }
  add(has_macros(role), "macros");
  return out;
}

/// The run options that an app sets for a scheduler, or for every one.
struct OptionTable {
  std::string scheduler;  // or spec::kEveryScheduler
  StrList options;        // names
};

std::vector<OptionTable> option_tables(const AppDef& app) {
  std::vector<OptionTable> out;
  for (const auto& [key, text] : app.metadata) {
    if (!key.starts_with(kAppOptionsPrefix)) continue;
    boost::system::error_code error;
    const boost::json::value options = parse_deep_json(text, error);
    if (error || !options.is_object()) continue;
    OptionTable& table = out.emplace_back();
    table.scheduler = key.substr(kAppOptionsPrefix.size());
    for (const auto& option : options.get_object()) table.options.emplace_back(option.key());
  }
  return out;
}

/// Returns whether a finding names the field of the role, or a table that contains the field.
bool is_reported(const std::vector<Finding>& findings, std::string_view role,
                 std::string_view field) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.role == role && field.substr(0, finding.field.size()) == finding.field &&
           (field.size() == finding.field.size() || field[finding.field.size()] == '.');
  });
}

}  // namespace

bool ignores_workspace(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.kind == Finding::Kind::kIgnored && finding.field == "workspace";
  });
}

void add_ignored_fields(const AppDef& app, const std::optional<std::vector<AppField>>& acted_on,
                        std::vector<Finding>& findings) {
  const auto check = [&](const std::string& role, const std::string& field, std::string why) {
    if (acted_on) {
      const auto listed = std::find_if(acted_on->begin(), acted_on->end(),
                                       [&](const AppField& one) { return one.name == field; });
      if (listed != acted_on->end()) {
        if (listed->condition.empty()) return;
        why = "it acts on this only " + listed->condition;
      }
    } else if (field != "deployment_preference") {  // on which no scheduler acts
      return;
    }
    if (!is_reported(findings, role, field))
      findings.push_back({Finding::Kind::kIgnored, role, field, std::move(why)});
  };
  for (const Role& role : app.roles) {
    for (const std::string& field : set_fields(role)) {
      check(role.name, field,
            field == kCpuFraction ? "it takes whole CPUs: " + to_string(role.resource.cpu) +
                                        " counts as " + std::to_string(role.resource.cpu.whole())
                                  : kNotActedOn);
    }
  }
  const bool has_own_metadata =
      std::any_of(app.metadata.begin(), app.metadata.end(), [](const auto& entry) {
        return !entry.first.starts_with("slipway.");  // run options and the workspace
      });
  if (has_own_metadata) check({}, "app.metadata", kNotActedOn);
}

void add_ignored_options(const AppDef& app, const RunOpts& declared, const Cfg& cfg,
                         std::vector<Finding>& findings) {
  const auto add = [&](std::string field, std::string why) {
    findings.push_back({Finding::Kind::kIgnored, {}, std::move(field), std::move(why)});
  };
  const auto is_set = [&](const std::string& name) {
    const Value* value = cfg.find(name);
    return value != nullptr && type_of(*value) != ValueType::kNone;
  };
  for (const OptionTable& table : option_tables(app)) {
    const bool is_of_all = table.scheduler == spec::kEveryScheduler;
    for (const std::string& name : table.options) {
      const bool is_declared = declared.get(name) != nullptr;
      if (is_of_all && !is_declared) add("options." + name, kNoSuchOption);
      if (is_of_all || !rules::is_missed_late(name) || is_set(name)) continue;
      add("options." + table.scheduler + "." + name,
          is_declared ? "write it in [options.\"*\"] for every scheduler that has it"
                      : kNoSuchOption);
    }
  }
}

}  // namespace slipway
