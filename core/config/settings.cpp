#include "core/config/settings.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/config/argument_text.hpp"
#include "core/config/locks.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::config {

namespace {

const SettingKey kProfileKey{Section::kCli, {}, "profile"};

// Returns the precedence of a setting. A setting of a profile ranks above two layers, its own and
// `chosen_in`, which selects the profile, but below variables and flags.
int rank_of(const Setting& setting, Layer chosen_in) {
  if (setting.profile.empty()) return 2 * static_cast<int>(setting.layer);
  const Layer counts_in = std::max(setting.layer, std::min(chosen_in, Layer::kFlagFile));
  return 2 * static_cast<int>(counts_in) + 1;
}

bool is_of_every_scheduler(const Setting& setting) {
  return setting.key.section == Section::kScheduler && setting.key.name == kEveryScheduler;
}

spec::Problem no_such_profile(const Setting& choice, const std::vector<std::string>& profiles) {
  std::string hint = spec::did_you_mean(choice.value.text, profiles);
  if (hint.empty()) hint = "a profile is a table [profile.NAME] of a configuration file";
  spec::Problem problem =
      problem_of(choice, "unknown profile " + spec::quoted(choice.value.text), std::move(hint));
  // A file that selects an unknown profile is wrong (kConfig); a variable or flag asks for a
  // profile that is missing.
  if (choice.layer >= Layer::kVariable) problem.code = Code::kNotFound;
  return problem;
}

}  // namespace

Settings::Settings(std::vector<Setting> all, const std::vector<std::string>& profiles,
                   std::vector<Limit> limits, std::vector<spec::Problem>& problems)
    : settings_(std::move(all)), limits_(std::move(limits)) {
  const Setting* choice = nullptr;
  for (const Setting& setting : settings_) {
    if (!(setting.key == kProfileKey)) continue;
    if (!setting.profile.empty()) {
      problems.push_back(problem_of(setting, "a profile cannot choose a profile"));
    } else if (setting.value.type != spec::NodeType::kString) {
      problems.push_back(
          problem_of(setting, "expected a string, found " + spec::describe(setting.value)));
    } else if (choice == nullptr || setting.locked ||
               (!choice->locked && setting.layer >= choice->layer)) {
      choice = &setting;
    }
  }
  Layer& chosen_in = profile_chosen_in_;
  if (choice != nullptr && !choice->value.text.empty()) {
    profile_ = choice->value.text;
    chosen_in = choice->layer;
    if (std::find(profiles.begin(), profiles.end(), profile_) == profiles.end())
      problems.push_back(no_such_profile(*choice, profiles));
  }
  std::erase_if(settings_, [&](const Setting& setting) {
    return !setting.profile.empty() && setting.profile != profile_;
  });
  std::stable_sort(settings_.begin(), settings_.end(), [&](const Setting& a, const Setting& b) {
    // A setting of one scheduler overrides one of every scheduler in the same layer.
    return std::pair(rank_of(a, chosen_in), !is_of_every_scheduler(a)) <
           std::pair(rank_of(b, chosen_in), !is_of_every_scheduler(b));
  });
  apply_locks(settings_, problems);
}

Settings Settings::with_app(std::vector<Setting> app_settings) const {
  Settings out = *this;
  const auto place =
      std::find_if(out.settings_.begin(), out.settings_.end(), [this](const Setting& setting) {
        return rank_of(setting, profile_chosen_in_) > 2 * static_cast<int>(Layer::kApp);
      });
  out.settings_.insert(place, std::make_move_iterator(app_settings.begin()),
                       std::make_move_iterator(app_settings.end()));
  return out;
}

std::vector<const Setting*> Settings::of(Section section, std::string_view name) const {
  std::vector<const Setting*> out;
  for (const Setting& setting : settings_) {
    if (setting.key.section == section && setting.key.name == name) out.push_back(&setting);
  }
  return out;
}

std::vector<const Setting*> Settings::layers_of(const SettingKey& key) const {
  std::vector<const Setting*> out;
  for (auto setting = settings_.rbegin(); setting != settings_.rend(); ++setting) {
    if (setting->key == key) out.push_back(&*setting);
  }
  return out;
}

const Setting* Settings::find(const SettingKey& key) const {
  const std::vector<const Setting*> layers = layers_of(key);
  return layers.empty() ? nullptr : layers.front();
}

std::vector<const Setting*> Settings::in_force() const {
  const auto by_key = [](const Setting* a, const Setting* b) {
    return std::tie(a->key.section, a->key.name, a->key.option) <
           std::tie(b->key.section, b->key.name, b->key.option);
  };
  std::set<const Setting*, decltype(by_key)> out(by_key);
  // insert() keeps the first of equal keys, which has the highest precedence.
  for (auto setting = settings_.rbegin(); setting != settings_.rend(); ++setting) {
    const bool is_replaced = std::any_of(out.begin(), out.end(), [&](const Setting* higher) {
      return exclude_each_other(*higher, *setting);
    });
    if (!is_replaced) out.insert(&*setting);
  }
  return {out.begin(), out.end()};
}

Dict<Value> Settings::component_defaults(std::string_view component) const {
  Dict<Value> out;
  std::vector<spec::Problem> problems;
  for (const Setting* setting : of(Section::kComponent, component)) {
    if (find(setting->key) != setting) continue;
    if (auto value = argument_value(*setting, problems))
      set(out, setting->key.option, std::move(*value));
  }
  if (!problems.empty()) throw spec::InvalidApp(std::move(problems));
  return out;
}

std::string Settings::default_component() const {
  const Setting* setting = find({Section::kCli, "run", "component"});
  if (setting == nullptr) return {};
  std::vector<spec::Problem> problems;
  const auto text = argument_text(*setting, problems);
  if (!text) throw spec::InvalidApp(std::move(problems));
  return *text;
}

}  // namespace slipway::config
