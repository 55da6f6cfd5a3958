#include "core/cli/apps/app_options.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/cli/apps/cfg_words.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/config/path_options.hpp"
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

/// Returns the value of a role's key as a value of the run option of the same name; nullopt if
/// their types differ. The keys of roles that are also run options have one of the types below.
std::optional<Value> role_value(const RunOpt& option, const json::value& value) {
  const auto text = [](const json::value& one) {
    return one.is_string() ? std::string(one.get_string()) : json::serialize(one);
  };
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

/// Checks the site's rules for keys of roles that have the name of a run option, such as timeout_s.
/// For its role, such a key replaces the run option.
void check_role_rules(const config::Settings& settings, const std::string& scheduler,
                      const RunOpts& declared, const AppDef& app, const Dict<Value>& options) {
  for (const Role& role : app.roles) {
    Dict<Value> role_options = options;
    bool differs = false;
    for (const auto& [key, value] : metadata_of(role)) {
      const RunOpt* option = declared.get(role_key_in(std::string_view(key)));
      const std::optional<Value> typed =
          option != nullptr ? role_value(*option, value) : std::nullopt;
      differs = differs || typed;
      if (typed) set(role_options, option->name, *typed);
    }
    if (!differs) continue;
    try {
      check_site_rules(settings, scheduler, declared, role_options);
    } catch (const spec::InvalidApp& broken) {
      std::vector<spec::Problem> problems = broken.problems();
      for (spec::Problem& problem : problems)
        problem.message = "role " + role.name + ": " + problem.message;
      throw spec::InvalidApp(std::move(problems));
    }
  }
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
  const auto add = [&out](const std::string& name, Value value, std::string source) {
    set(out.values, name, std::move(value));
    set(out.origins, name, std::move(source));
  };
  for (ConfiguredOption& option : configured_options(settings, command.scheduler, declared))
    add(option.name, std::move(option.value), to_string(option.from->where));
  warn_of_misspelt_schedulers(settings, command.scheduler,
                              [&] { return invocation.runner().scheduler_backends(); });
  for (const auto& [name, value] : command.values) {
    const RunOpt* option = declared.get(name);
    const bool is_default = option != nullptr && option->default_value == value;
    // A recorded value that is the option's default is left out, so that it does not count as set.
    // If another source sets the option, the recorded value must override that source.
    if (command.recorded && is_default && find(out.values, name) == nullptr) continue;
    add(name, value, command.recorded ? "recorded" : "stdin");
  }
  for (auto& [name, value] :
       options_from_words(invocation, command.scheduler, declared, command.words, out.values)) {
    start_paths_at(command.directory, name, value);
    add(name, std::move(value), "-c");
  }
  check_site_rules(settings, command.scheduler, declared, out.values);
  check_role_rules(settings, command.scheduler, declared, app, out.values);
  return out;
}

}  // namespace slipway::cli
