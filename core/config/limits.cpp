#include "core/config/limits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/config/amount.hpp"
#include "core/config/locks.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::config {

namespace {

using spec::NodeType;

/// Returns the value of a number; nullopt for other types.
std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// Returns whether `value` equals an item of the limit's list.
bool is_among(const Limit& limit, ValueType type, const Value& value) {
  return std::any_of(
      limit.value.items.begin(), limit.value.items.end(),
      [&](const spec::Node& one) { return typed_value(type, one) == std::optional<Value>(value); });
}

bool is_allowed(const Limit& limit, ValueType type, const Value& value) {
  // Each item of a list must be allowed.
  if (const auto* list = std::get_if<StrList>(&value)) {
    return std::all_of(list->begin(), list->end(), [&](const std::string& item) {
      return is_among(limit, ValueType::kStr, Value(item));
    });
  }
  return is_among(limit, type, value);
}

std::optional<double> number_of_bound(const Limit& limit) {
  if (limit.value.type == NodeType::kInt) return static_cast<double>(limit.value.integer);
  if (limit.value.type == NodeType::kFloat) return limit.value.real;
  return std::nullopt;
}

/// Returns the value as a number. The values of a dict option are strings, so a string there is
/// parsed as a number.
std::optional<double> comparable_number(const Limit& limit, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || limit.table_key.empty()) return number_of(value);
  return plain_number<double>(*text);
}

/// Returns a negative number if the value is smaller than the bound, zero if both are equal, and a
/// positive number if it is larger; nullopt if they have no common order. A zero in a string means
/// no limit (see compare_amounts()); as a number it is only 0.
std::optional<int> compare(const Limit& limit, const Value& value) {
  if (const auto bound = number_of_bound(limit)) {
    const std::optional<double> number = comparable_number(limit, value);
    if (!number || std::isnan(*number)) return std::nullopt;
    return *number < *bound ? -1 : *number > *bound ? 1 : 0;
  }
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? compare_amounts(*text, limit.value.text) : std::nullopt;
}

bool satisfies(const Limit& limit, ValueType type, const Value& value) {
  if (type_of(value) == ValueType::kNone) return false;
  if (limit.kind == Limit::Kind::kAllowed) return is_allowed(limit, type, value);
  const std::optional<int> order = compare(limit, value);
  if (!order) return false;
  return limit.kind == Limit::Kind::kMinimum ? *order >= 0 : *order <= 0;
}

std::string value_or_nothing(const Value& value) {
  return type_of(value) == ValueType::kNone ? "no value" : spec::toml_text(value);
}

/// Returns the value for a message, with a note if it cannot be compared with the bound.
std::string found_text(const Limit& limit, const Value& value) {
  const bool is_unordered = limit.kind != Limit::Kind::kAllowed &&
                            type_of(value) != ValueType::kNone && !compare(limit, value);
  return value_or_nothing(value) + (is_unordered ? ", which cannot be compared with it" : "");
}

/// If the value violates the limit, returns it as a text for a message, otherwise nullopt.
std::optional<std::string> disallowed_value(const Limit& limit, ValueType type,
                                            const Value& value) {
  if (limit.table_key.empty()) {
    if (satisfies(limit, type, value)) return std::nullopt;
    return found_text(limit, value);
  }
  // A key that is not given is not checked: the user may set the same thing in another way, such as
  // the option `time` of Slurm instead of `time` in `sbatch`.
  const auto* table = std::get_if<StrDict>(&value);
  const std::string* given = table != nullptr ? find(*table, limit.table_key) : nullptr;
  if (given == nullptr || satisfies(limit, ValueType::kStr, Value(*given))) return std::nullopt;
  return found_text(limit, Value(*given));
}

std::string site_allows(const Limit& limit) {
  return "the site allows " + rule_text(limit) + ", as " + spec::to_string(limit.where) + " says";
}

std::string violation_text(const Limit& limit, const std::string& found) {
  return site_allows(limit) + ", not " + found;
}

/// Returns the problem of a value at `where`.
spec::Problem violation_problem(const Limit& limit, const std::string& key,
                                const std::string& found, const spec::Position& where) {
  return {spec::Severity::kError,
          where,
          key,
          violation_text(limit, found),
          "choose another value, or ask the site's administrator",
          Code::kConfig};
}

/// Returns the problem of an option that no source sets. `found` is its default as a text.
spec::Problem default_problem(const Limit& limit, const std::string& scheduler,
                              const RunOpt& declared, const std::string& found) {
  const std::string& option = declared.name;
  const bool has_default = type_of(declared.default_value) != ValueType::kNone;
  return {spec::Severity::kError,
          {},
          to_string({Section::kScheduler, scheduler, option}),
          site_allows(limit) +
              (has_default ? ", not " + found + ", its default" : ", but it has no value"),
          "set it with -c " + option + "=VALUE, or in [scheduler." + spec::toml_key(scheduler) +
              "] of a configuration file",
          Code::kConfig};
}

/// Returns whether the limit bounds a run option of `scheduler`.
bool concerns(const Limit& limit, const std::string& scheduler) {
  return limit.key.section == Section::kScheduler &&
         (limit.key.name == scheduler || limit.key.name == kEveryScheduler);
}

/// Returns the name of the option, or of its key, that a limit of `scheduler` bounds.
std::string bounded_name(const Limit& limit, const std::string& scheduler) {
  const std::string option = to_string({Section::kScheduler, scheduler, limit.key.option});
  return limit.table_key.empty() ? option : option + "." + limit.table_key;
}

/// Returns a problem of the limit itself, at its place.
spec::Problem limit_problem(const Limit& limit, std::string message) {
  return {spec::Severity::kError, limit.where, bounded_name(limit, limit.key.name),
          std::move(message),     {},          Code::kConfig};
}

/// Returns why a minimum or maximum does not suit an option of this type, or an empty string. The
/// values in a dict are often numbers; those of a str option with an order are times or sizes.
std::string bound_fault(const Limit& limit, ValueType type) {
  const std::string bound = spec::toml_text(limit.value);
  const bool is_number = number_of_bound(limit).has_value();
  const bool is_text_amount = !is_number && is_amount(limit.value.text);
  switch (type) {
    case ValueType::kInt:
    case ValueType::kFloat:
      return is_number ? "" : "the option is a number, and the bound " + bound + " is a string";
    case ValueType::kStr:
    case ValueType::kDict: {
      const bool is_dict = type == ValueType::kDict;
      if (is_text_amount || (is_number && is_dict)) return {};
      return std::string("the ") + (is_dict ? "key" : "option") + " is a string, whose bound is " +
             (is_dict ? "a number, or " : "") +
             "a time or a size in quotes such as \"1-02:00:00\", \"1h30m\" or \"64GiB\", not " +
             bound;
    }
    case ValueType::kBool:
    case ValueType::kList:
    case ValueType::kNone: break;
  }
  return std::string("the option is a ") + slipway::to_string(type) +
         ", which has no order, so it has neither a minimum nor a maximum";
}

/// Returns why a limit does not suit an option of this type, or an empty string.
std::string type_fault(const Limit& limit, ValueType type) {
  const bool is_table = type == ValueType::kDict;
  if (is_table && limit.table_key.empty())
    return "the option is a table: name the key that is bounded, as in " + limit.key.option +
           ".KEY";
  if (!is_table && !limit.table_key.empty()) return "the option is not a table and has no keys";
  if (limit.kind != Limit::Kind::kAllowed) return bound_fault(limit, type);
  const bool is_text = is_table || type == ValueType::kList;
  const ValueType item = is_text ? ValueType::kStr : type;
  for (const spec::Node& one : limit.value.items) {
    if (!typed_value(item, one)) return spec::toml_text(one) + " is not a value of this option";
  }
  return {};
}

/// Returns the problem of a setting that the site does not allow.
spec::Problem setting_problem(const Setting& setting, std::string message) {
  if (setting.locked) message += ", so no run can succeed";
  return problem_of(setting, std::move(message),
                    setting.layer == Layer::kSite
                        ? "correct the value or the limit"
                        : "choose another value, or ask the site's administrator");
}

/// Returns whether both limits bound the same value of `scheduler`.
bool bound_the_same(const Limit& one, const Limit& other, const std::string& scheduler) {
  return concerns(other, scheduler) && one.key.option == other.key.option &&
         one.table_key == other.table_key;
}

/// If `limit` is a minimum, returns a maximum of the same option that is smaller. Otherwise returns
/// nullptr.
const Limit* smaller_maximum(const Limit& limit, const std::string& scheduler,
                             const std::vector<Limit>& all) {
  if (limit.kind != Limit::Kind::kMinimum) return nullptr;
  const auto number = number_of_bound(limit);
  const Value bound = number ? Value(*number) : Value(limit.value.text);
  for (const Limit& other : all) {
    if (other.kind != Limit::Kind::kMaximum || !bound_the_same(limit, other, scheduler)) continue;
    if (compare(other, bound).value_or(0) > 0) return &other;
  }
  return nullptr;
}

/// If `limit` is a list of allowed values, each of which violates another limit of the same option,
/// returns the limit that the first value violates. Otherwise returns nullptr.
const Limit* excluding_limit(const Limit& limit, ValueType type, const std::string& scheduler,
                             const std::vector<Limit>& all) {
  // An empty list has only allowed items.
  if (limit.kind != Limit::Kind::kAllowed || type == ValueType::kList) return nullptr;
  const ValueType item_type = type == ValueType::kDict ? ValueType::kStr : type;
  const Limit* out = nullptr;
  for (const spec::Node& item : limit.value.items) {
    const std::optional<Value> value = typed_value(item_type, item);
    const auto excludes = [&](const Limit& other) {
      return bound_the_same(limit, other, scheduler) && !satisfies(other, item_type, *value);
    };
    const auto other = std::find_if(all.begin(), all.end(), excludes);
    if (other == all.end()) return nullptr;
    if (out == nullptr) out = &*other;
  }
  return out;
}

/// Returns the settings of run options without those that another setting of the same layer wins
/// over.
std::vector<RunOptionSetting> winners_of_layers(std::vector<RunOptionSetting> all) {
  std::vector<RunOptionSetting> out;
  for (auto each = all.begin(); each != all.end(); ++each) {
    const auto wins = [&](const RunOptionSetting& later) {
      return later.from->layer == each->from->layer &&
             later.from->key.option == each->from->key.option;
    };
    if (std::none_of(std::next(each), all.end(), wins)) out.push_back(std::move(*each));
  }
  return out;
}

}  // namespace

std::string rule_text(const Limit& limit) {
  const std::string value = spec::toml_text(limit.value);
  switch (limit.kind) {
    case Limit::Kind::kMinimum: return "at least " + value;
    case Limit::Kind::kMaximum: return "at most " + value;
    case Limit::Kind::kAllowed: break;
  }
  return "one of " + value;
}

std::vector<const Limit*> limits_of(const Settings& settings, const SettingKey& key) {
  std::vector<const Limit*> out;
  for (const Limit& limit : settings.limits()) {
    if (same_setting(limit.key, key)) out.push_back(&limit);
  }
  return out;
}

spec::Position place_of(const ValuePlaces& places, const std::string& option,
                        const std::string& table_key) {
  const spec::Position* place = find(places, option + "." + table_key);
  if (place == nullptr) place = find(places, option);
  return place != nullptr ? *place : spec::Position();
}

void check_limits(const Settings& settings, const std::string& scheduler, const RunOpts& declared,
                  const Dict<Value>& values, const ValuePlaces& places,
                  std::vector<spec::Problem>& problems) {
  for (const Limit& limit : settings.limits()) {
    const RunOpt* option = concerns(limit, scheduler) ? declared.get(limit.key.option) : nullptr;
    if (option == nullptr) continue;
    const Value* given = find(values, option->name);  // kNone stands for the default
    const bool is_given = given != nullptr && type_of(*given) != ValueType::kNone;
    const Value& value = is_given ? *given : option->default_value;
    const auto found = disallowed_value(limit, option->type, value);
    if (!found) continue;
    problems.push_back(is_given ? violation_problem(limit, bounded_name(limit, scheduler), *found,
                                                    place_of(places, option->name, limit.table_key))
                                : default_problem(limit, scheduler, *option, *found));
  }
}

void check_scheduler_allowed(const Settings& settings, const std::string& scheduler,
                             std::vector<spec::Problem>& problems) {
  const Setting* chosen = settings.find(kSchedulerOfRun);
  const bool is_chosen = chosen != nullptr && chosen->value.text == scheduler;
  const spec::Position where = is_chosen ? chosen->where : spec::Position();
  for (const Setting* setting : settings.layers_of(kSchedulerOfRun)) {
    if (setting->locked && setting->value.text != scheduler)
      problems.push_back(locked_problem(*setting, where));
  }
  for (const Limit& limit : settings.limits()) {
    if (limit.key == kSchedulerOfRun && !is_allowed(limit, ValueType::kStr, Value(scheduler)))
      problems.push_back(
          violation_problem(limit, to_string(limit.key), spec::quoted(scheduler), where));
  }
}

void check_choice_allowed(const Settings& settings, const Setting& setting,
                          std::vector<spec::Problem>& problems) {
  const std::string& scheduler = setting.value.text;
  for (const Limit& limit : settings.limits()) {
    if (limit.key == kSchedulerOfRun && !is_allowed(limit, ValueType::kStr, Value(scheduler)))
      problems.push_back(setting_problem(setting, violation_text(limit, spec::quoted(scheduler))));
  }
}

void check_settings_allowed(const Settings& settings, const std::string& scheduler,
                            const RunOpts& declared, std::vector<spec::Problem>& problems) {
  std::vector<spec::Problem> reported_elsewhere;
  for (const RunOptionSetting& each :
       winners_of_layers(run_option_settings(settings, scheduler, declared, reported_elsewhere))) {
    if (type_of(each.value) == ValueType::kNone) continue;  // stands for the default
    const RunOpt& option = *declared.get(each.from->key.option);
    for (const Limit* limit : limits_of(settings, {Section::kScheduler, scheduler, option.name})) {
      const auto found = disallowed_value(*limit, option.type, each.value);
      if (!found) continue;
      const std::string table_key = limit->table_key.empty() ? "" : limit->table_key + ": ";
      problems.push_back(setting_problem(*each.from, table_key + violation_text(*limit, *found)));
    }
  }
}

void check_limits_are_satisfiable(const Settings& settings, const std::string& scheduler,
                                  const RunOpts& declared, std::vector<spec::Problem>& problems) {
  std::vector<spec::Problem> reported_elsewhere;
  Dict<bool> set_by_site;
  for (const RunOptionSetting& each :
       run_option_settings(settings, scheduler, declared, reported_elsewhere)) {
    if (each.from->layer == Layer::kSite) set(set_by_site, each.from->key.option, true);
  }
  for (const Limit& limit : settings.limits()) {
    if (!concerns(limit, scheduler)) continue;
    const RunOpt* option = declared.get(limit.key.option);
    if (option == nullptr) {
      if (limit.key.name == scheduler)
        problems.push_back(limit_problem(limit, "the scheduler does not know this run option"));
      continue;
    }
    if (std::string fault = type_fault(limit, option->type); !fault.empty()) {
      problems.push_back(limit_problem(limit, std::move(fault)));
      continue;
    }
    if (const Limit* other = smaller_maximum(limit, scheduler, settings.limits())) {
      problems.push_back(limit_problem(limit, "no value is " + rule_text(limit) + " and " +
                                                  rule_text(*other) + ", as " +
                                                  spec::to_string(other->where) + " says"));
      continue;
    }
    if (const Limit* other = excluding_limit(limit, option->type, scheduler, settings.limits())) {
      problems.push_back(limit_problem(
          limit, "another limit excludes each of these values: " + site_allows(*other)));
      continue;
    }
    if (find(set_by_site, option->name) != nullptr) continue;
    const auto found = disallowed_value(limit, option->type, option->default_value);
    if (!found) continue;
    spec::Problem problem =
        limit_problem(limit, "every run must set this option: otherwise it gets " + *found +
                                 ", and the site allows " + rule_text(limit));
    problem.severity = spec::Severity::kWarning;
    problem.hint = "set a default in [scheduler." + spec::toml_key(limit.key.name) + "]";
    problems.push_back(std::move(problem));
  }
}

}  // namespace slipway::config
