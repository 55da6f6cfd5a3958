#include "sdk/check/run/check_run.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

std::string_view group_of(std::string_view name) { return name.substr(0, name.find('.')); }

bool is_wanted(const Options& options, std::string_view name) {
  if (options.only.empty()) return true;
  for (const std::string& wanted : options.only)
    if (name == wanted || group_of(name) == wanted) return true;
  return false;
}

}  // namespace

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "slipway-check-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make " + pattern);
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

CheckRun::CheckRun(const Options& options, const Subject& subject, const StopSignals* stop,
                   std::function<void(const Result&)> on_result)
    : options_(options), subject_(subject), stop_(stop), on_result_(std::move(on_result)) {}

void CheckRun::all() {
  const std::optional<std::vector<Provided>> read = providers_of_library();
  const std::vector<Provided> providers = read.value_or(std::vector<Provided>());
  for (const Check& check : catalogue()) {
    // The checks of the group `load` say why the library cannot be loaded and why no other runs.
    const bool explains = !read && group_of(check.name) == "load";
    if (!is_wanted(options_, check.name) && !explains) continue;
    const std::string_view kind = check.kind;
    if (kind.empty()) {
      run_and_report(check, {});
      continue;
    }
    for (const Provided& provider : providers) {
      if (!is_selected(provider) || (kind != "*" && kind != provider.kind)) continue;
      if (is_known_kind(provider.kind)) {
        run_and_report(check, provider);
      } else if (ignored_.insert(provider).second) {
        on_result_({&check, provider.name,
                    Outcome{Verdict::kSkipped,
                            "hosts of this version ignore its kind, " + provider.kind,
                            {}}});
      }
    }
  }
}

bool CheckRun::is_selected(const Provided& provider) const {
  return options_.provider.empty() || provider.name == options_.provider;
}

std::optional<std::set<std::string>> CheckRun::provider_names() {
  const auto providers = providers_of_library();
  if (!providers) return std::nullopt;
  std::set<std::string> names;
  for (const Provided& provider : *providers) names.insert(provider.name);
  return names;
}

std::optional<std::set<std::string>> CheckRun::declared_options() {
  // `reader` runs in another process, which passes the names on in a file.
  const std::string file = scratch_.path() + "/options";
  const Check reader{"", "", Needs::kNothing, "", "", [&](const Trial& trial) {
                       std::ofstream out(file);
                       for (const RunOpt& opt : SchedulerUnderTest(trial).run_opts())
                         out << opt.name << '\n';
                     }};
  const auto providers = providers_of_library();
  if (!providers) return std::nullopt;
  std::set<std::string> names;
  for (const Provided& provider : *providers) {
    if (provider.kind != SLIPWAY_KIND_SCHEDULER || !is_selected(provider)) continue;
    if (run(reader, provider).verdict != Verdict::kPassed) return std::nullopt;
    std::ifstream in(file);
    for (std::string name; std::getline(in, name);) names.insert(name);
  }
  return names;
}

void CheckRun::run_and_report(const Check& check, const Provided& provider) {
  const Outcome outcome = outcome_of(check, provider);
  if (outcome.verdict == Verdict::kFailed) failures_[{check.name, provider}] = check.name;
  on_result_({&check, provider.name, outcome});
}

Outcome CheckRun::outcome_of(const Check& check, const Provided& provider) {
  const auto skipped = [](std::string why) {
    return Outcome{Verdict::kSkipped, std::move(why), {}};
  };
  if (check.needs == Needs::kApp && !options_.app)
    return skipped("nothing is submitted without --app FILE");
  if (check.needs == Needs::kManifest && !subject_.manifest)
    return skipped("give the manifest in place of the library");
  if (check.needs == Needs::kOwnProcess && !options_.fork)
    return skipped("it needs a process of its own; leave out --no-fork");
  for (const std::string_view earlier : check.after) {
    const std::optional<std::string_view> cause = cause_of_failure(earlier, provider);
    if (!cause) continue;
    failures_[{check.name, provider}] = *cause;
    return skipped("it depends on " + std::string(*cause) + ", which failed");
  }
  return run(check, provider);
}

std::optional<std::string_view> CheckRun::cause_of_failure(std::string_view earlier,
                                                           const Provided& provider) const {
  const Provided library;
  for (const auto& [failed, cause] : failures_) {
    const auto& [name, place] = failed;
    if (name == earlier && (place == provider || place == library || provider == library))
      return cause;
  }
  return std::nullopt;
}

Outcome CheckRun::run(const Check& check, const Provided& provider) {
  const Trial trial{subject_,      options_,      progress_,
                    provider.kind, provider.name, scratch_.path() + "/check"};
  return stop_ != nullptr ? run_in_child(check, trial, *stop_) : run_here(check, trial);
}

// Returns the providers of the library, or nullopt if it cannot be loaded. Reads them in a check's
// process, because no code of the plug-in runs in this one.
std::optional<std::vector<CheckRun::Provided>> CheckRun::providers_of_library() {
  const std::string file = scratch_.path() + "/providers";
  const Check reader{"", "", Needs::kNothing, "", "", [&](const Trial& trial) {
                       const slipway_plugin& plugin = load_checked(trial);
                       std::ofstream out(file);
                       for (std::size_t i = 0; i < plugin.providers.count; ++i) {
                         const auto* p = SLIPWAY_AT(plugin.providers, slipway_provider, i);
                         out << abi::text(p->kind) << '\n' << abi::text(p->name) << '\n';
                       }
                     }};
  std::vector<Provided> out;
  if (run(reader, {}).verdict != Verdict::kPassed) return std::nullopt;
  std::ifstream in(file);
  for (Provided one; std::getline(in, one.kind) && std::getline(in, one.name);) out.push_back(one);
  return out;
}

}  // namespace slipway::check
