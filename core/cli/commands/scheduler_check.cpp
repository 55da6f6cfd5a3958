#include "core/cli/commands/scheduler_check.hpp"

#include <algorithm>
#include <utility>

#include "core/config/limits.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

using config::Limit;
using config::Section;
using config::Setting;

bool is_in(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string scheduler_hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = spec::did_you_mean(name, known);
  return near.empty() ? "`slipway runopts` lists the schedulers of this machine" : near;
}

spec::Problem problem_of_limit(const Limit& limit, std::string message, std::string hint,
                               spec::Severity severity = spec::Severity::kWarning) {
  return {severity,           limit.where,     config::to_string(limit.key),
          std::move(message), std::move(hint), Code::kConfig};
}

/// Checks a `scheduler` in the section of a command.
void check_choice(const config::Settings& settings, const Setting& setting,
                  SchedulerOptions& options, bool is_effective,
                  std::vector<spec::Problem>& problems) {
  const std::string& name = setting.value.text;
  if (setting.value.type != spec::NodeType::kString || name.empty()) return;
  const bool is_of_run = setting.key == config::kSchedulerOfRun;
  if (!options.is_known(name) && name != kDefaultSchedulerAlias) {
    // Another setting may win on this machine, or the profile may be meant for another machine.
    const bool fails = is_of_run && is_effective && settings.find(setting.key) == &setting;
    problems.push_back(problem_of(setting, "there is no scheduler " + spec::quoted(name),
                                  scheduler_hint(name, options.schedulers()),
                                  fails ? spec::Severity::kError : spec::Severity::kWarning));
  } else if (is_of_run && name != kDefaultSchedulerAlias) {
    config::check_choice_allowed(settings, setting, problems);
  }
}

/// Checks the schedulers that the site allows for `run`.
void check_allowed_schedulers(const Limit& limit, SchedulerOptions& options,
                              std::vector<spec::Problem>& problems) {
  const auto& names = limit.value.items;
  const bool fails = std::none_of(names.begin(), names.end(), [&](const spec::Node& each) {
    return options.is_known(each.text);
  });
  for (const spec::Node& each : names) {
    if (options.is_known(each.text)) continue;
    problems.push_back(problem_of_limit(
        limit,
        "there is no scheduler " + spec::quoted(each.text) +
            (fails ? ", and the site allows no other one, so no run can succeed" : ""),
        scheduler_hint(each.text, options.schedulers()),
        fails ? spec::Severity::kError : spec::Severity::kWarning));
  }
}

}  // namespace

bool SchedulerOptions::is_known(const std::string& scheduler) const {
  return is_in(schedulers_, scheduler);
}

const RunOpts* SchedulerOptions::of(const std::string& scheduler) {
  if (!is_known(scheduler)) return nullptr;
  auto place = asked_.find(scheduler);
  if (place == asked_.end()) {
    auto answer = std::move(runner_.run_opts_of({scheduler}).front());
    place = asked_.emplace(scheduler, std::nullopt).first;
    if (!answer.error) place->second = std::move(answer.answer);
  }
  return place->second ? &*place->second : nullptr;
}

std::vector<std::string> SchedulerOptions::all_names() {
  std::vector<std::string> out;
  for (const std::string& scheduler : schedulers_) {
    const RunOpts* declared = of(scheduler);
    if (declared == nullptr) continue;
    for (const RunOpt& option : *declared) out.push_back(option.name);
  }
  return out;
}

bool SchedulerOptions::all_answer() {
  return std::all_of(schedulers_.begin(), schedulers_.end(),
                     [this](const std::string& scheduler) { return of(scheduler) != nullptr; });
}

void check_chosen_schedulers(const config::Settings& settings, SchedulerOptions& options,
                             bool is_effective, std::vector<spec::Problem>& problems) {
  for (const Setting& setting : settings.in_order()) {
    if (setting.key.section == Section::kCli && setting.key.option == "scheduler")
      check_choice(settings, setting, options, is_effective, problems);
  }
  for (const Limit& limit : settings.limits()) {
    if (limit.key == config::kSchedulerOfRun) check_allowed_schedulers(limit, options, problems);
  }
}

void check_unused_rules(const config::Settings& settings, SchedulerOptions& options,
                        std::vector<spec::Problem>& problems) {
  struct Unused {
    std::string message;
    std::string hint;
  };
  // Asks the schedulers only if there is such a key.
  std::optional<std::vector<std::string>> names;
  // Describes an option of every scheduler that none has; returns nothing for another key.
  const auto unused = [&](const config::SettingKey& key) -> std::optional<Unused> {
    if (key.section != Section::kScheduler || key.name != config::kEveryScheduler ||
        key.option == config::kStateDir)
      return std::nullopt;
    if (!names) names = options.all_names();
    if (is_in(*names, key.option)) return std::nullopt;
    const std::string near = spec::did_you_mean(key.option, *names);
    if (options.all_answer()) {
      return Unused{"no scheduler of this machine has this run option, it has no effect",
                    near.empty() ? "`slipway runopts` lists the known ones" : near};
    }
    if (near.empty()) return std::nullopt;
    return Unused{"no scheduler that answers has this run option", near};
  };
  for (const Setting& setting : settings.in_order()) {
    if (auto found = unused(setting.key)) {
      problems.push_back(problem_of(setting, std::move(found->message), std::move(found->hint),
                                    spec::Severity::kWarning));
    }
  }
  for (const Limit& limit : settings.limits()) {
    const config::SettingKey& key = limit.key;
    if (auto found = unused(key)) {
      problems.push_back(
          problem_of_limit(limit, std::move(found->message), std::move(found->hint)));
    } else if (key.section == Section::kScheduler && key.name != config::kEveryScheduler &&
               !options.is_known(key.name)) {
      problems.push_back(problem_of_limit(
          limit, "no plug-in provides a scheduler " + spec::quoted(key.name) + ", it has no effect",
          scheduler_hint(key.name, options.schedulers())));
    }
  }
}

}  // namespace slipway::cli
