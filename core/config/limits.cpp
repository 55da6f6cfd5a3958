#include "core/config/limits.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/config/locks.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/config/value_text.hpp"

namespace slipway::config {

namespace {

using spec::NodeType;

const SettingKey kSchedulerOfRun{Section::kCli, "run", "scheduler"};

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool is_among(const Limit& limit, ValueType type, const Value& value) {
  return std::any_of(
      limit.value.items.begin(), limit.value.items.end(),
      [&](const spec::Node& one) { return typed_value(type, one) == std::optional<Value>(value); });
}

bool is_allowed(const Limit& limit, ValueType type, const Value& value) {
  // Of a list, each item has to be among the allowed ones.
  if (const auto* list = std::get_if<StrList>(&value)) {
    return std::all_of(list->begin(), list->end(), [&](const std::string& item) {
      return is_among(limit, ValueType::kStr, Value(item));
    });
  }
  return is_among(limit, type, value);
}

bool satisfies(const Limit& limit, ValueType type, const Value& value) {
  if (type_of(value) == ValueType::kNone) return false;
  if (limit.kind == Limit::Kind::kAllowed) return is_allowed(limit, type, value);
  const std::optional<double> number = number_of(value);
  const std::optional<Value> bound = typed_value(ValueType::kFloat, limit.value);
  if (!number || !bound) return false;
  const double edge = std::get<double>(*bound);
  return limit.kind == Limit::Kind::kMinimum ? *number >= edge : *number <= edge;
}

std::string rule_text(const Limit& limit) {
  const std::string value = toml_text(limit.value);
  switch (limit.kind) {
    case Limit::Kind::kMinimum: return "at least " + value;
    case Limit::Kind::kMaximum: return "at most " + value;
    case Limit::Kind::kAllowed: break;
  }
  return "one of " + value;
}

spec::Problem breach(const Limit& limit, const std::string& key, const std::string& found) {
  return {spec::Severity::kError,
          {},
          key,
          "the site allows " + rule_text(limit) + ", as " + spec::to_string(limit.where) +
              " says, not " + found,
          "choose another value, or ask the site's administrator",
          Code::kConfig};
}

bool concerns(const Limit& limit, const std::string& scheduler) {
  return limit.key.section == Section::kScheduler &&
         (limit.key.name == scheduler || limit.key.name == kEveryScheduler);
}

std::string text_or_nothing(const Value& value) {
  return type_of(value) == ValueType::kNone ? "no value" : toml_text(value);
}

spec::Problem senseless(const Limit& limit, std::string message) {
  return {spec::Severity::kError, limit.where, to_string(limit.key),
          std::move(message),     {},          Code::kConfig};
}

/// Returns what is wrong with a limit of an option of this type, or nothing.
std::string type_fault(const Limit& limit, ValueType type) {
  if (limit.kind != Limit::Kind::kAllowed) {
    const bool is_number = type == ValueType::kInt || type == ValueType::kFloat;
    return is_number ? "" : "the option is no number, so it has neither a minimum nor a maximum";
  }
  if (type == ValueType::kDict) return "the option is a table, which cannot be limited";
  const ValueType item = type == ValueType::kList ? ValueType::kStr : type;
  for (const spec::Node& one : limit.value.items) {
    if (!typed_value(item, one)) return toml_text(one) + " is no value of this option";
  }
  return {};
}

}  // namespace

void check_limits(const Settings& settings, const std::string& scheduler, const RunOpts& declared,
                  const Dict<Value>& values, std::vector<spec::Problem>& problems) {
  for (const Limit& limit : settings.limits()) {
    const RunOpt* option = concerns(limit, scheduler) ? declared.get(limit.key.option) : nullptr;
    if (option == nullptr) continue;
    const Value* given = find(values, option->name);
    const bool is_given = given != nullptr && type_of(*given) != ValueType::kNone;
    const Value& value = is_given ? *given : option->default_value;
    if (satisfies(limit, option->type, value)) continue;
    problems.push_back(breach(limit, to_string({Section::kScheduler, scheduler, option->name}),
                              text_or_nothing(value)));
  }
}

void check_scheduler_allowed(const Settings& settings, const std::string& scheduler,
                             std::vector<spec::Problem>& problems) {
  for (const Setting* setting : settings.layers_of(kSchedulerOfRun)) {
    if (setting->locked && setting->value.text != scheduler)
      problems.push_back(locked_problem(*setting, {}));
  }
  for (const Limit& limit : settings.limits()) {
    if (limit.key == kSchedulerOfRun && !is_allowed(limit, ValueType::kStr, Value(scheduler)))
      problems.push_back(breach(limit, to_string(limit.key), spec::quoted(scheduler)));
  }
}

void check_limits_make_sense(const Settings& settings, const std::string& scheduler,
                             const RunOpts& declared, std::vector<spec::Problem>& problems) {
  std::vector<spec::Problem> reported_elsewhere;
  Dict<Value> site_values;
  for (RunOptionSetting& each :
       run_option_settings(settings, scheduler, declared, reported_elsewhere)) {
    if (each.from->layer == Layer::kSite)
      set(site_values, each.from->key.option, std::move(each.value));
  }
  for (const Limit& limit : settings.limits()) {
    if (!concerns(limit, scheduler)) continue;
    const RunOpt* option = declared.get(limit.key.option);
    if (option == nullptr) {
      if (limit.key.name == scheduler)
        problems.push_back(senseless(limit, "the scheduler does not know this run option"));
      continue;
    }
    if (std::string fault = type_fault(limit, option->type); !fault.empty()) {
      problems.push_back(senseless(limit, std::move(fault)));
      continue;
    }
    const Value* given = find(site_values, option->name);
    const Value& value = given != nullptr ? *given : option->default_value;
    if (satisfies(limit, option->type, value)) continue;
    spec::Problem problem =
        senseless(limit, "no run can start without naming this option: " + text_or_nothing(value) +
                             " is what it gets otherwise, and the site allows " + rule_text(limit));
    problem.severity = spec::Severity::kWarning;
    problem.hint = "set a default in [scheduler." + toml_key(limit.key.name) + "]";
    problems.push_back(std::move(problem));
  }
}

}  // namespace slipway::config
