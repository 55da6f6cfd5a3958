#include "core/cli/configuration.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/cli/diagnostics.hpp"
#include "core/config/locks.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/registry/search_path.hpp"
#include "core/registry/trust.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

std::vector<ConfiguredOption> from_text(const config::Setting& setting, const RunOpts& declared) {
  std::vector<ConfiguredOption> out;
  std::vector<std::string> warnings;
  try {
    for (auto& [name, value] : parse_options(declared, setting.value.text, warnings))
      out.push_back({name, std::move(value), &setting});
  } catch (const Error& error) {
    throw Error(Code::kConfig, error.message(), error.hint(), setting.where.file);
  }
  for (const std::string& warning : warnings)
    say(LogLevel::kWarning, setting.where.file + ": " + warning);
  return out;
}

void say_warning(spec::Problem problem) {
  problem.severity = spec::Severity::kError;  // or its text would say that it is a warning, too
  say(LogLevel::kWarning, spec::to_string(problem));
}

}  // namespace

void tell_warnings(const std::vector<spec::Problem>& problems) {
  for (const spec::Problem& problem : problems) {
    if (problem.severity == spec::Severity::kWarning) say_warning(problem);
  }
}

config::Loaded load_configuration(const GlobalOptions& globals,
                                  std::vector<config::Setting> flags) {
  config::Places places;
  places.flag_file = globals.config_file;
  places.elevated = registry::process_is_elevated();
  const registry::TrustPolicy policy = registry::TrustPolicy::of_process(places.elevated);
  return config::load(places, std::move(flags),
                      [&](const std::string& path, const struct stat& status) {
                        registry::check_trusted(policy, path, status, "the file");
                        registry::check_link_trusted(policy, path);
                        registry::check_directory_trusted(policy, path);
                      });
}

std::vector<ConfiguredOption> configured_options(const config::Settings& settings,
                                                 const std::string& scheduler,
                                                 const RunOpts& declared) {
  std::vector<ConfiguredOption> out;
  std::vector<spec::Problem> problems;
  for (config::RunOptionSetting& option :
       config::run_option_settings(settings, scheduler, declared, problems)) {
    out.push_back({option.from->key.option, std::move(option.value), option.from});
  }
  const auto is_error = [](const spec::Problem& problem) {
    return problem.severity == spec::Severity::kError;
  };
  if (std::any_of(problems.begin(), problems.end(), is_error))
    throw spec::InvalidApp(std::move(problems));
  tell_warnings(problems);
  // variables rank above files, so theirs come last
  for (const config::Setting* setting : settings.of(config::Section::kRunOptions, {})) {
    auto options = from_text(*setting, declared);
    out.insert(out.end(), std::make_move_iterator(options.begin()),
               std::make_move_iterator(options.end()));
  }
  return out;
}

void check_locked_options(const config::Settings& settings, const std::string& scheduler,
                          const RunOpts& declared, const Dict<Value>& given) {
  std::vector<spec::Problem> ignored;  // told by configured_options()
  for (const config::RunOptionSetting& option :
       config::run_option_settings(settings, scheduler, declared, ignored)) {
    if (!option.from->locked) continue;
    const Value* value = find(given, option.from->key.option);
    if (value == nullptr || *value == option.value) continue;
    const spec::Problem problem = config::locked_problem(*option.from, {});
    throw Error(problem.code, problem.key + ": " + problem.message, problem.hint);
  }
}

void tell_misspelt_schedulers(const config::Settings& settings, const std::string& known,
                              const std::function<std::vector<std::string>()>& schedulers) {
  std::vector<const config::Setting*> first;  // of each other section
  std::set<std::string> seen;
  for (const config::Setting& setting : settings.in_order()) {
    if (setting.key.section == config::Section::kScheduler && setting.key.name != known &&
        seen.insert(setting.key.name).second) {
      first.push_back(&setting);
    }
  }
  if (first.empty()) return;
  const std::vector<std::string> names = schedulers();
  for (const config::Setting* setting : first) {
    const std::string& name = setting->key.name;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string hint = spec::did_you_mean(name, names);
    if (hint.empty()) continue;  // a scheduler of some other machine
    say_warning(config::problem_of(*setting, "there is no scheduler " + spec::quoted(name), hint,
                                   spec::Severity::kWarning));
  }
}

}  // namespace slipway::cli
