#include "core/cli/apps/app_options.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/cli/apps/cfg_words.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/config/limits.hpp"
#include "core/config/path_options.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/document.hpp"
#include "core/spec/path_option.hpp"
#include "sdk/support/role_keys.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

/// Returns where the app file sets the run option. For an app without a file, the position names
/// the app instead.
spec::Position position_of(const AppDef& app, const AppOrigin& origin, const std::string& scheduler,
                           const std::string& option) {
  for (const spec::OptionPlace& place : origin.options) {
    if (place.scheduler == scheduler && place.option == option)
      return {origin.source, place.at.line, place.at.column};
  }
  return {"the app " + app.name, 0, 0};
}

/// Returns the value of a role's key as a value of the run option of the same name; nullopt if it
/// cannot be one. A time such as grace_s may have a fraction, and the option of a scheduler that
/// counts in whole seconds has none: then the time is rounded up, as the scheduler does.
std::optional<Value> role_value(const RunOpt& option, const json::value& value) {
  const auto text = [](const json::value& one) {
    return one.is_string() ? std::string(one.get_string()) : json::serialize(one);
  };
  if (option.type == ValueType::kBool && value.is_bool()) return Value(value.get_bool());
  if (option.type == ValueType::kStr && value.is_string()) return Value(text(value));
  if (option.type == ValueType::kInt && value.is_number()) {
    constexpr double kLargest = 0x1p53;  // a double has every integer up to this number
    const double rounded = std::ceil(value.to_number<double>());
    return Value(static_cast<std::int64_t>(std::clamp(rounded, -kLargest, kLargest)));
  }
  if (option.type == ValueType::kFloat && value.is_number())
    return Value(value.to_number<double>());
  if (option.type == ValueType::kList && value.is_array()) {
    StrList items;
    for (const json::value& item : value.get_array()) items.push_back(text(item));
    return Value(std::move(items));
  }
  if (option.type == ValueType::kDict && value.is_object()) {
    StrDict entries;
    for (const auto& [key, part] : value.get_object()) set(entries, std::string(key), text(part));
    return Value(std::move(entries));
  }
  return std::nullopt;
}

/// Returns whether a text of `--set` sets the key of the role: `roles.w.grace_s=5`.
bool is_set_by(const StrList& fields, const AppDef& app, std::size_t role, std::string_view key) {
  const std::string name = app.roles[role].name;
  for (const std::string& written : {name, '"' + name + '"', std::to_string(role)}) {
    const std::string path = "roles." + written + "." + std::string(key);
    for (const std::string& field : fields) {
      if (field.starts_with(path + "=") || field.starts_with(path + ".")) return true;
    }
  }
  return false;
}

/// Returns the place that sets a role's key: `--set` or the app file. For an app without a file,
/// the position names the app instead.
spec::Position position_of(const AppDef& app, const AppOrigin& origin, const StrList& fields,
                           std::size_t role, std::string_view key) {
  if (is_set_by(fields, app, role, key)) return {"--set"};
  if (origin.source.empty() || role >= origin.roles.size()) return {"the app " + app.name};
  const spec::TableMarks::Value* place = origin.roles[role].find(key);
  const spec::Mark at = place != nullptr ? place->at : origin.roles[role].table;
  return {origin.source, at.line, at.column};
}

/// Appends a problem for each key of a role that has the name of a run option, such as timeout_s,
/// and breaks a rule of the site. For its role, such a key replaces the run option.
void check_role_rules(const config::Settings& settings, const RunOpts& declared, const AppDef& app,
                      const AppOrigin& origin, const CommandOptions& command,
                      std::vector<spec::Problem>& problems) {
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    RunOpts replaced;  // limits of other options concern the app as a whole
    Dict<Value> values;
    config::ValuePlaces places;
    for (const auto& [key, value] : metadata_of(app.roles[i])) {
      const RunOpt* option = declared.get(role_key_in(std::string_view(key)));
      std::optional<Value> typed = option != nullptr ? role_value(*option, value) : std::nullopt;
      if (!typed) continue;
      replaced.add(*option);
      set(values, option->name, *std::move(typed));
      set(places, option->name, position_of(app, origin, command.fields, i, option->name));
    }
    std::vector<spec::Problem> found;
    check_site_rules(settings, command.scheduler, replaced, values, places, found);
    for (spec::Problem& problem : found) {
      problem.message = "role " + app.roles[i].name + ": " + problem.message;
      problems.push_back(std::move(problem));
    }
  }
}

/// Notes that `value` comes from `where`. An entry that a text such as `-c backoff.max=60` has left
/// unchanged keeps its place; a table in a file replaces all entries of the lower layers. `lower`
/// is the value of the lower layers, or null.
void note_places(config::ValuePlaces& places, const Value* lower, const std::string& name,
                 const Value& value, const spec::Position& where) {
  set(places, name, where);
  const auto* entries = std::get_if<StrDict>(&value);
  if (entries == nullptr) return;
  const auto* lower_entries = lower != nullptr ? std::get_if<StrDict>(lower) : nullptr;
  const bool is_text = where.line == 0;  // only files have lines
  for (const auto& [key, entry] : *entries) {
    const std::string* before = lower_entries != nullptr ? find(*lower_entries, key) : nullptr;
    if (is_text && before != nullptr && *before == entry) continue;
    set(places, name + "." + key, where);
  }
}

/// Returns the run options that the command itself gives. Throws as parse_options().
Dict<Value> options_of_command(const RunOpts& declared, const CommandOptions& command) {
  Dict<Value> out = command.values;
  for (const std::string& text : command.words) {
    ParsedOptions parsed = parse_options(declared, text, out);
    for (auto& [name, value] : parsed.values) set(out, name, std::move(value));
  }
  return out;
}

/// Makes the relative paths in the value of the run option `name` start at `directory`. Leaves
/// those that start with `~` unchanged: resolve_options() refuses them.
void start_paths_at(const std::string& directory, const std::string& name, Value& value) {
  if (directory.empty() || !spec::is_path_option(name)) return;
  const auto start = [&](std::string& path) {
    if (!path.empty() && path.front() != '~')
      path = (std::filesystem::path(directory) / path).string();
  };
  if (auto* path = std::get_if<std::string>(&value)) start(*path);
  if (auto* paths = std::get_if<StrList>(&value))
    std::for_each(paths->begin(), paths->end(), start);
}

}  // namespace

std::vector<config::Setting> app_settings(const AppDef& app, const AppOrigin& origin) {
  std::vector<config::Setting> out;
  for (const auto& [name, text] : app.metadata) {
    if (!name.starts_with(kAppOptionsPrefix)) continue;
    const std::string scheduler = name.substr(kAppOptionsPrefix.size());
    spec::Node options = spec::parse_json(text, "metadata." + name);
    if (options.type != spec::NodeType::kTable) {
      throw Error(Code::kInvalid, "metadata." + name + ": expected a JSON object, found " +
                                      spec::describe(options));
    }
    for (spec::NodeEntry& entry : options.entries) {
      config::Setting setting;
      setting.key = {config::Section::kScheduler, scheduler, entry.key};
      setting.value = std::move(entry.value);
      setting.layer = config::Layer::kApp;
      setting.where = position_of(app, origin, scheduler, entry.key);
      config::expand_paths(setting, config::process_variables());
      out.push_back(std::move(setting));
    }
  }
  std::stable_partition(out.begin(), out.end(), [](const config::Setting& setting) {
    return setting.key.name == config::kEveryScheduler;
  });
  return out;
}

CollectedOptions collect_options(Invocation& invocation, const AppDef& app, const AppOrigin& origin,
                                 const CommandOptions& command) {
  const RunOpts declared = invocation.runner().run_opts(command.scheduler);
  const config::Settings settings = invocation.config().with_app(app_settings(app, origin));
  CollectedOptions out;
  config::ValuePlaces places;
  const auto add = [&](const std::string& name, Value value, const spec::Position& where) {
    note_places(places, find(out.values, name), name, value, where);
    set(out.values, name, std::move(value));
    set(out.origins, name, to_string(where));
  };
  const Dict<Value> given = options_of_command(declared, command);
  for (ConfiguredOption& option : configured_options(settings, command.scheduler, declared, &given))
    add(option.name, std::move(option.value), option.from->where);
  warn_of_misspelt_schedulers(settings, command.scheduler,
                              [&] { return invocation.runner().scheduler_backends(); });
  for (const auto& [name, value] : command.values) {
    const RunOpt* option = declared.get(name);
    const bool is_default = option != nullptr && option->default_value == value;
    // A recorded value that is the option's default is left out, so that it does not count as set.
    // If another source sets the option, the recorded value must override that source.
    if (command.recorded && is_default && find(out.values, name) == nullptr) continue;
    add(name, value, {command.recorded ? "recorded" : "stdin"});
  }
  for (auto& [name, value] :
       options_from_words(invocation, command.scheduler, declared, command.words, out.values)) {
    start_paths_at(command.directory, name, value);
    add(name, std::move(value), {"-c"});
  }
  std::vector<spec::Problem> problems;
  check_site_rules(settings, command.scheduler, declared, out.values, places, problems);
  config::check_scheduler_allowed(settings, command.scheduler, problems);
  check_role_rules(settings, declared, app, origin, command, problems);
  if (!problems.empty()) throw spec::InvalidApp(std::move(problems));
  return out;
}

}  // namespace slipway::cli
