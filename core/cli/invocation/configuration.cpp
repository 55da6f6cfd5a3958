#include "core/cli/invocation/configuration.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/cli/invocation/runner_settings.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/config/locks.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

/// Returns the run options in the text of a setting, such as SLIPWAY_CFG. `lower` has the options
/// of the lower layers, to whose entries a text such as `backoff.max=60` adds one.
std::vector<ConfiguredOption> from_text(const config::Setting& setting, const RunOpts& declared,
                                        const Dict<Value>& lower) {
  std::vector<ConfiguredOption> out;
  ParsedOptions parsed;
  try {
    parsed = parse_options(declared, setting.value.text, lower);
  } catch (const Error& error) {
    throw Error(Code::kConfig, error.message(), error.hint(), setting.where.file);
  }
  for (auto& [name, value] : parsed.values) out.push_back({name, std::move(value), &setting});
  for (const std::string& warning : parsed.warnings)
    say(LogLevel::kWarning, setting.where.file + ": " + warning);
  for (const std::string& name : parsed.unknown) {
    say(LogLevel::kWarning,
        setting.where.file + ": the scheduler has no run option " + spec::quoted(name));
  }
  return out;
}

/// Returns whether the text of a setting, such as SLIPWAY_CFG, sets the run option `name`. Returns
/// false for a malformed text, which from_text() reports.
bool text_sets(const config::Setting& setting, const RunOpts& declared, const std::string& name) {
  try {
    return find(parse_options(declared, setting.value.text).values, name) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

/// Returns whether a higher layer or the command, whose run options are `given`, replaces the value
/// of `setting`, which is one of `settings`. A dict is never replaced: a text may set one
/// of its entries and keep the others.
bool is_replaced(const config::Setting& setting, const config::Settings& settings,
                 const std::string& scheduler, const RunOpts& declared, const Dict<Value>& given) {
  const std::string& name = setting.key.option;
  const RunOpt* option = declared.get(name);
  if (option == nullptr || option->type == ValueType::kDict) return false;
  if (find(given, name) != nullptr) return true;
  const auto& all = settings.in_order();
  const auto is_higher_value = [&](const config::Setting& other) {
    return &other > &setting && other.key.section == config::Section::kScheduler &&
           (other.key.name == scheduler || other.key.name == config::kEveryScheduler) &&
           other.key.option == name && other.defect.empty();
  };
  if (std::any_of(all.begin(), all.end(), is_higher_value)) return true;
  const auto texts = settings.of(config::Section::kRunOptions, {});
  return std::any_of(texts.begin(), texts.end(),
                     [&](const config::Setting* text) { return text_sets(*text, declared, name); });
}

void print_warning(spec::Problem problem) {
  problem.severity = spec::Severity::kError;  // the text of a warning would repeat "warning"
  say(LogLevel::kWarning, spec::to_string(problem));
}

}  // namespace

void print_warnings(const std::vector<spec::Problem>& problems) {
  for (const spec::Problem& problem : problems) {
    if (problem.severity == spec::Severity::kWarning) print_warning(problem);
  }
}

config::Loaded load_configuration(const GlobalOptions& globals,
                                  std::vector<config::Setting> flags) {
  config::Places places;
  places.flag_file = globals.config_file;
  places.elevated = registry::process_is_elevated();
  config::Loaded out = config::load(
      places, std::move(flags),
      [](const config::Source& source, const struct stat& status, const config::SiteRules& site) {
        const registry::TrustPolicy policy = trust_policy(site);
        const registry::Origin origin = source.layer == config::Layer::kSite
                                            ? registry::Origin::kSite
                                            : registry::Origin::kUser;
        registry::check_trusted(policy, origin, source.path, status, "the file");
        registry::check_link_trusted(policy, origin, source.path);
        registry::check_directory_trusted(policy, origin, source.path);
      });
  check_state_dirs(out.settings, out.problems);
  return out;
}

void downgrade_file_errors(config::Loaded& loaded) {
  std::string named_file;
  for (const config::Source& source : loaded.sources) {
    if (source.layer == config::Layer::kFlagFile) named_file = source.path;
  }
  for (spec::Problem& problem : loaded.problems) {
    // For a problem of the command line, this is the name of the option: `--profile`. The user
    // chose the options and the file of --config for this call, so their errors stay errors.
    const std::string& file = problem.where.file;
    if (file.rfind("--", 0) != 0 && (named_file.empty() || file != named_file))
      problem.severity = spec::Severity::kWarning;
  }
}

std::vector<ConfiguredOption> configured_options(const config::Settings& settings,
                                                 const std::string& scheduler,
                                                 const RunOpts& declared,
                                                 const Dict<Value>* given) {
  std::vector<ConfiguredOption> out;
  std::vector<spec::Problem> problems;
  config::NeedsValue needs_value;
  if (given != nullptr) {
    needs_value = [&](const config::Setting& setting) {
      return setting.locked || !is_replaced(setting, settings, scheduler, declared, *given);
    };
  }
  for (config::RunOptionSetting& option :
       config::run_option_settings(settings, scheduler, declared, problems, needs_value)) {
    out.push_back({option.from->key.option, std::move(option.value), option.from});
  }
  const auto is_error = [](const spec::Problem& problem) {
    return problem.severity == spec::Severity::kError;
  };
  if (std::any_of(problems.begin(), problems.end(), is_error))
    throw spec::InvalidApp(std::move(problems));
  print_warnings(problems);
  Dict<Value> lower;
  for (const ConfiguredOption& option : out) set(lower, option.name, option.value);
  // Variables are a higher layer than files, so their options come last.
  for (const config::Setting* setting : settings.of(config::Section::kRunOptions, {})) {
    auto options = from_text(*setting, declared, lower);
    out.insert(out.end(), std::make_move_iterator(options.begin()),
               std::make_move_iterator(options.end()));
  }
  return out;
}

void check_site_rules(const config::Settings& settings, const std::string& scheduler,
                      const RunOpts& declared, const Dict<Value>& options,
                      const config::ValuePlaces& places, std::vector<spec::Problem>& problems) {
  std::vector<spec::Problem> ignored;  // configured_options() has reported these
  Dict<config::RunOptionSetting> locked;
  for (const config::RunOptionSetting& option :
       config::run_option_settings(settings, scheduler, declared, ignored)) {
    if (option.from->locked) set(locked, option.from->key.option, option);
  }
  for (const auto& [name, option] : locked) {
    const Value* value = find(options, name);
    if (value != nullptr && *value != option.value)
      problems.push_back(config::locked_problem(*option.from, config::place_of(places, name)));
  }
  config::check_limits(settings, scheduler, declared, options, places, problems);
}

void warn_of_misspelt_schedulers(const config::Settings& settings, const std::string& current,
                                 const std::function<std::vector<std::string>()>& schedulers) {
  std::vector<const config::Setting*> first;  // the first setting of each other section
  std::set<std::string> seen;
  for (const config::Setting& setting : settings.in_order()) {
    if (setting.key.section == config::Section::kScheduler && setting.key.name != current &&
        setting.key.name != config::kEveryScheduler && seen.insert(setting.key.name).second) {
      first.push_back(&setting);
    }
  }
  if (first.empty()) return;
  const std::vector<std::string> names = schedulers();
  for (const config::Setting* setting : first) {
    const std::string& name = setting->key.name;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string hint = spec::did_you_mean(name, names);
    if (hint.empty()) continue;  // probably a scheduler of another machine
    print_warning(config::problem_of(*setting, "there is no scheduler " + spec::quoted(name), hint,
                                     spec::Severity::kWarning));
  }
}

}  // namespace slipway::cli
