#include "core/cli/commands/configuration_check.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/cli/commands/scheduler_check.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/invocation/runner_settings.hpp"
#include "core/cli/options/option_settings.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/components/arguments.hpp"
#include "core/components/component_reference.hpp"
#include "core/config/argument_text.hpp"
#include "core/config/limits.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::cli {

namespace {

using config::Section;
using config::Setting;

const config::SettingKey kComponentOfRun{Section::kCli, "run", "component"};

/// Collects the problems of the configuration that `load` returns.
class ConfigurationCheck {
 public:
  using Load = std::function<config::Loaded(std::vector<Setting> flags)>;

  ConfigurationCheck(Invocation& invocation, MakeCliApp make_cli_app, Load load)
      : invocation_(invocation),
        make_cli_app_(std::move(make_cli_app)),
        load_(std::move(load)),
        schedulers_(invocation.runner()) {}

  /// Checks the configuration as it is, and then with each profile.
  void check_all_profiles() {
    for (const std::string& profile : check({})) check({profile_flag(profile)});
  }

  std::vector<spec::Problem> found;

 private:
  /// Checks the configuration with the profile in `flags` or, without flags, with the profile that
  /// files choose. Returns the names of all profiles.
  std::vector<std::string> check(std::vector<Setting> flags) {
    const bool is_effective = flags.empty();
    config::Loaded loaded = load_(std::move(flags));
    std::vector<spec::Problem>& problems = loaded.problems;
    check_option_settings(*make_cli_app_(), loaded.settings, problems);
    check_option_values(*make_cli_app_(), loaded.settings, problems);
    std::set<std::pair<Section, std::string>> seen;
    for (const Setting& setting : loaded.settings.in_order()) {
      if (setting.key == kComponentOfRun) check_default_component(setting, problems);
      if (!seen.insert({setting.key.section, setting.key.name}).second) continue;
      if (setting.key.section == Section::kScheduler && setting.key.name != config::kEveryScheduler)
        check_scheduler(loaded.settings, setting, problems);
      if (setting.key.section == Section::kComponent)
        check_component(loaded.settings, setting, problems);
    }
    check_chosen_schedulers(loaded.settings, schedulers_, is_effective, problems);
    check_limits(loaded.settings, problems);
    check_unused_rules(loaded.settings, schedulers_, problems);
    check_site_accounts(loaded.site, problems);
    for (spec::Problem& problem : problems) add(std::move(problem));
    return std::move(loaded.profiles);
  }

  /// Checks the site's limits, and the settings that they concern, for each scheduler that the
  /// limits name.
  void check_limits(const config::Settings& settings, std::vector<spec::Problem>& problems) {
    std::set<std::string> named;
    for (const config::Limit& limit : settings.limits()) {
      if (limit.key.section != Section::kScheduler) continue;
      if (limit.key.name == config::kEveryScheduler) {
        named.insert(schedulers_.schedulers().begin(), schedulers_.schedulers().end());
      } else {
        named.insert(limit.key.name);
      }
    }
    for (const std::string& name : named) {
      const RunOpts* declared = schedulers_.of(name);
      if (declared == nullptr) continue;
      config::check_limits_are_satisfiable(settings, name, *declared, problems);
      config::check_settings_allowed(settings, name, *declared, problems);
    }
  }

  /// Checks the section of a scheduler. `first` is the section's first setting.
  void check_scheduler(const config::Settings& settings, const Setting& first,
                       std::vector<spec::Problem>& problems) {
    const std::string& name = first.key.name;
    if (!schedulers_.is_known(name)) {
      std::string near = spec::did_you_mean(name, schedulers_.schedulers());
      // The section may be for a scheduler that only TorchX has.
      if (near.empty() && first.notation == config::Notation::kTorchx) return;
      if (near.empty()) near = "`slipway runopts` lists the schedulers of this machine";
      problems.push_back(problem_of(
          first,
          "no plug-in provides a scheduler " + spec::quoted(name) + ", so this section is unused",
          std::move(near), spec::Severity::kWarning));
      return;
    }
    if (const RunOpts* declared = schedulers_.of(name))
      config::run_option_settings(settings, name, *declared, problems);
  }

  /// Returns a component's parameters. If there is no such component, adds a warning at `setting`
  /// that ends with `effect`, and returns nothing.
  std::optional<std::vector<ComponentParam>> params_of(const std::string& name,
                                                       const Setting& setting,
                                                       const std::string& effect,
                                                       std::vector<spec::Problem>& problems) {
    // all() gets the components from query processes, so find() need not load the plug-in.
    invocation_.components().all();
    try {
      return invocation_.components().find(name).info.params;
    } catch (const Error& error) {
      if (is_end_of_time_limit(error.code())) throw;
      const std::string message =
          error.code() == Code::kNotFound
              ? "there is no component " + spec::quoted(name) + ", " + effect
              : "the component " + spec::quoted(name) + " is not checked: " + error.message();
      problems.push_back(problem_of(setting, message, error.hint(), spec::Severity::kWarning));
      return std::nullopt;
    }
  }

  /// Checks the component that runs if no APP is given. Leaves a file alone, whose path may be
  /// relative to another directory.
  void check_default_component(const Setting& setting, std::vector<spec::Problem>& problems) {
    const std::string& name = setting.value.text;
    const bool is_name = setting.value.type == spec::NodeType::kString && !name.empty() &&
                         name.find_first_of("/:") == std::string::npos &&
                         components::parse_reference(name).file.empty() &&
                         invocation_.components().parse_source_file(name).file.empty();
    // The component may be one that only TorchX has.
    if (!is_name || setting.notation == config::Notation::kTorchx) return;
    params_of(name, setting, "a run without APP fails", problems);
  }

  /// Checks the default that a setting gives to a component's parameter.
  static void check_default(const ComponentParam& param, const Setting& setting,
                            std::vector<spec::Problem>& problems) {
    const std::optional<Value> value = config::argument_value(setting, problems);
    if (!value) return;
    try {
      components::converted(param, *value);
    } catch (const Error& error) {
      problems.push_back(problem_of(setting, error.message(), error.hint()));
    }
  }

  /// Checks the section of a component. `first` is the section's first setting.
  void check_component(const config::Settings& settings, const Setting& first,
                       std::vector<spec::Problem>& problems) {
    // The section may be for a component that only TorchX has.
    if (first.notation == config::Notation::kTorchx) return;
    const std::string& name = first.key.name;
    const auto params = params_of(name, first, "its section is unused", problems);
    if (!params) return;
    std::vector<std::string> names;
    for (const ComponentParam& param : *params) names.push_back(param.name);
    for (const Setting* setting : settings.of(Section::kComponent, name)) {
      const auto param = std::find_if(params->begin(), params->end(), [&](const auto& one) {
        return one.name == setting->key.option;
      });
      if (param != params->end()) {
        check_default(*param, *setting, problems);
        continue;
      }
      std::string near = spec::did_you_mean(setting->key.option, names);
      if (near.empty())
        near = "`slipway component show " + shell_quoted(name) + "` lists the parameters";
      problems.push_back(problem_of(*setting, "the component has no such parameter",
                                    std::move(near), spec::Severity::kWarning));
    }
  }

  /// Adds a problem that the check with another profile has not found.
  void add(spec::Problem problem) {
    const auto same = [&](const spec::Problem& other) {
      return spec::to_string(other.where) == spec::to_string(problem.where) &&
             other.key == problem.key && other.message == problem.message;
    };
    if (std::any_of(found.begin(), found.end(), same)) return;
    if (problem.hint.empty()) problem.hint = "correct it or remove it";
    found.push_back(std::move(problem));
  }

  Invocation& invocation_;
  MakeCliApp make_cli_app_;
  Load load_;
  SchedulerOptions schedulers_;
};

}  // namespace

std::vector<spec::Problem> check_configuration(Invocation& invocation, MakeCliApp make_cli_app) {
  ConfigurationCheck check(invocation, std::move(make_cli_app), [&](std::vector<Setting> flags) {
    return load_configuration(invocation.options(), std::move(flags));
  });
  check.check_all_profiles();
  return std::move(check.found);
}

std::vector<spec::Problem> check_configuration_file(Invocation& invocation, MakeCliApp make_cli_app,
                                                    const std::string& file, bool as_site) {
  config::Places places;
  places.elevated = true;  // so that load() reads only the site's file and `file`, no variables
  (as_site ? places.site_file : places.flag_file) = file;
  ConfigurationCheck check(invocation, std::move(make_cli_app), [&](std::vector<Setting> flags) {
    config::Loaded loaded = config::load(places, std::move(flags));
    check_state_dirs(loaded.settings, loaded.problems);
    return loaded;
  });
  check.check_all_profiles();
  return std::move(check.found);
}

}  // namespace slipway::cli
