#include "core/cli/invocation/runner_settings.hpp"

#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <optional>

#include "core/registry/manifests/manifest.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

namespace {

using config::Setting;

bool is_state_dir(const Setting& setting) {
  return setting.key.section == config::Section::kScheduler &&
         setting.key.option == config::kStateDir;
}

/// Returns whether the value of a `state_dir` is an absolute path.
bool is_usable(const Setting& setting) {
  return setting.defect.empty() && setting.value.type == spec::NodeType::kString &&
         !setting.value.text.empty() && setting.value.text.front() == '/';
}

/// Returns the id of the account that `find` finds by its name, or `name` itself if it is a number.
template <class Id, class Find>
std::optional<Id> account_id(const std::string& name, Find find) {
  if (const auto id = find(name.c_str())) return id;
  return plain_number<Id>(name);
}

std::optional<uid_t> user_id(const std::string& name) {
  return account_id<uid_t>(name, [](const char* text) -> std::optional<uid_t> {
    const passwd* account = ::getpwnam(text);
    return account != nullptr ? std::optional<uid_t>(account->pw_uid) : std::nullopt;
  });
}

std::optional<gid_t> group_id(const std::string& name) {
  return account_id<gid_t>(name, [](const char* text) -> std::optional<gid_t> {
    const group* entry = ::getgrnam(text);
    return entry != nullptr ? std::optional<gid_t>(entry->gr_gid) : std::nullopt;
  });
}

}  // namespace

registry::AllPluginSettings plugin_settings(const config::Settings& settings) {
  registry::AllPluginSettings out;
  for (const config::Setting& setting : settings.in_order()) {
    if (setting.key.section != config::Section::kPlugin) continue;
    registry::PluginSettings& plugin = out[setting.key.name];
    plugin.config.type = spec::NodeType::kTable;
    plugin.source = setting.where;
    if (setting.key.option == "enabled") {
      plugin.enabled = setting.value.boolean;
      plugin.enabled_source = setting.where;
    } else {
      registry::merge_config(plugin.config, plugin_config_of(setting));
    }
  }
  return out;
}

Dict<std::string> state_dirs(const config::Settings& settings) {
  Dict<std::string> out;
  for (const Setting& setting : settings.in_order()) {
    if (!is_state_dir(setting) || !is_usable(setting)) continue;
    // In the same layer, the setting for every scheduler comes first.
    if (setting.key.name == config::kEveryScheduler) out.clear();
    set(out, setting.key.name, setting.value.text);
  }
  return out;
}

std::vector<Tracker> trackers(const config::Settings& settings) {
  std::vector<Tracker> out;
  for (const Setting& setting : settings.in_order()) {
    if (setting.key.section != config::Section::kTracker) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const Tracker& tracker) {
      return tracker.name == setting.key.name;
    });
    Tracker& tracker = same != out.end() ? *same : out.emplace_back();
    tracker = {setting.key.name, setting.value.text};
  }
  return out;
}

void check_state_dirs(const config::Settings& settings, std::vector<spec::Problem>& problems) {
  for (const Setting& setting : settings.in_order()) {
    if (!is_state_dir(setting) || is_usable(setting)) continue;
    problems.push_back(problem_of(
        setting, !setting.defect.empty()
                     ? setting.defect
                     : "expected an absolute path, found " + spec::toml_text(setting.value)));
  }
}

registry::TrustPolicy trust_policy(const config::SiteRules& site) {
  registry::TrustPolicy policy = registry::TrustPolicy::of_process(registry::process_is_elevated());
  for (const config::AccountName& owner : site.trusted_owners) {
    if (const auto id = user_id(owner.name)) policy.owners.push_back(*id);
  }
  for (const config::AccountName& group : site.trusted_groups) {
    if (const auto id = group_id(group.name)) policy.groups.push_back(*id);
  }
  return policy;
}

void check_site_accounts(const config::SiteRules& site, std::vector<spec::Problem>& problems) {
  const auto warn = [&](const config::AccountName& account, const char* what, const char* key) {
    problems.push_back(
        {spec::Severity::kWarning, account.where, key,
         std::string("this machine has no ") + what + " " + spec::quoted(account.name),
         "correct the name, or remove it", Code::kConfig});
  };
  for (const config::AccountName& owner : site.trusted_owners) {
    if (!user_id(owner.name)) warn(owner, "user", "site.trusted_owners");
  }
  for (const config::AccountName& group : site.trusted_groups) {
    if (!group_id(group.name)) warn(group, "group", "site.trusted_groups");
  }
}

}  // namespace slipway::cli
