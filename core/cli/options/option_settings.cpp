#include "core/cli/options/option_settings.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "core/cli/options/subcommands.hpp"
#include "core/config/argument_text.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::cli {

namespace {

using config::Layer;
using config::Notation;
using config::Section;
using config::Setting;

// `[cli.run] component` sets an argument, not an option.
constexpr const char* kDefaultComponent = "component";

/// Returns "run", "plugin.list", or an empty text for the app itself. `dryrun` uses the section of
/// `run`.
std::string section_name(const CLI::App& command) {
  if (command.get_parent() == nullptr) return {};
  const std::string above = section_name(*command.get_parent());
  const std::string name = command.get_name() == "dryrun" ? "run" : command.get_name();
  return above.empty() ? name : above + "." + name;
}

/// Returns the app and all commands below it.
template <class App>  // const or not
std::vector<App*> all_commands(App& app) {
  std::vector<App*> out{&app};
  for (App* sub : subcommands_of(app)) {
    const auto below = all_commands(*sub);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

/// Returns the app and the commands on the command line: for `plugin list`, `plugin` and `list`.
std::vector<CLI::App*> chosen_commands(CLI::App& app) {
  std::vector<CLI::App*> out{&app};
  for (CLI::App* sub : app.get_subcommands()) {
    const auto below = chosen_commands(*sub);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

bool is_flag(const CLI::Option& option) { return option.get_expected_min() == 0; }

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? std::string() : option.get_lnames().front();
}

/// Returns whether configuration files may set the option.
bool is_configurable(const CLI::Option& option) {
  return option.get_configurable() && !option.get_lnames().empty();
}

/// What a key of [cli] names.
struct Found {
  bool has_command = false;             // whether a command has the key's name
  const CLI::Option* option = nullptr;  // null if the command has no such option
};

/// Looks a key up. In the section of `run`, finds the option of `run`, which comes before `dryrun`.
Found look_up(const CLI::App& app, const config::SettingKey& key) {
  Found out;
  for (const CLI::App* command : all_commands(app)) {
    if (section_name(*command) != key.name) continue;
    out.has_command = true;
    for (const CLI::Option* option : command->get_options()) {
      const auto& names = option->get_lnames();
      if (std::find(names.begin(), names.end(), key.option) == names.end()) continue;
      out.option = option;
      return out;
    }
  }
  return out;
}

spec::Problem unknown_command(const CLI::App& app, const Setting& setting) {
  if (setting.key.name == "dryrun") {
    return problem_of(setting, "the command 'dryrun' has no section of its own",
                      "[cli.run] also applies to it");
  }
  std::vector<std::string> names;
  for (const CLI::App* command : all_commands(app)) names.push_back(section_name(*command));
  std::string hint = spec::did_you_mean(setting.key.name, names);
  if (hint.empty()) hint = "`slipway --help` lists the commands";
  return problem_of(setting, "there is no command " + spec::quoted(setting.key.name),
                    std::move(hint));
}

spec::Problem unknown_option(const CLI::App& app, const Setting& setting) {
  std::vector<std::string> names;
  for (const ConfigurableOption& option : configurable_options(app)) {
    if (option.key.name == setting.key.name) names.push_back(option.key.option);
  }
  std::string hint = spec::did_you_mean(setting.key.option, names);
  if (!setting.key.name.empty()) {
    const Found global = look_up(app, {Section::kCli, {}, setting.key.option});
    if (global.option != nullptr && is_configurable(*global.option))
      hint = "options of all commands belong in [cli]";
  }
  const std::string expected =
      setting.key.name.empty() ? "an option of all commands" : "an option of this command";
  if (hint.empty()) hint = "`slipway config show --all` lists all options";
  return problem_of(setting, "not " + expected, std::move(hint));
}

spec::Problem not_configurable(const Setting& setting) {
  std::string hint;
  if (setting.key.option == "cfg" || setting.key.option == "scheduler-args")
    hint = "run options belong in [scheduler.NAME]";
  else if (setting.key.option == "plugin-path")
    hint = "use SLIPWAY_PLUGIN_PATH or a plugins.d directory";
  return problem_of(setting, "this option works only on the command line", std::move(hint));
}

/// Returns the option's argument. Appends a problem and returns nothing for a wrong type.
std::optional<std::string> argument_of(const CLI::Option& option, const Setting& setting,
                                       std::vector<spec::Problem>& problems) {
  const spec::NodeType type = setting.value.type;
  const auto refuse = [&](const char* expected) {
    problems.push_back(problem_of(
        setting, std::string("expected ") + expected + ", found " + spec::describe(setting.value)));
    return std::nullopt;
  };
  if (setting.notation == Notation::kToml) {
    if (is_flag(option) && type != spec::NodeType::kBool) return refuse("true or false");
    if (!is_flag(option) && (type == spec::NodeType::kBool || type == spec::NodeType::kList ||
                             type == spec::NodeType::kTable)) {
      return refuse("a string or a number");
    }
  }
  return config::argument_text(setting, problems);
}

/// Returns whether an option that excludes `option` has a value.
bool is_excluded(const CLI::Option& option) {
  const auto& others = option.get_excludes();
  return std::any_of(others.begin(), others.end(),
                     [](const CLI::Option* other) { return other->count() > 0; });
}

/// Gives the option the value of the setting. Appends a problem when the option refuses it.
void give(CLI::Option& option, const Setting& setting, std::vector<spec::Problem>& problems) {
  const std::optional<std::string> text = argument_of(option, setting, problems);
  if (!text) return;
  try {
    if (is_flag(option)) {
      const std::optional<bool> is_on = flag_value(*text);
      if (!is_on) {
        problems.push_back(
            problem_of(setting, "expected true or false, found " + spec::quoted(*text)));
      }
      // A flag that is off excludes no other option.
      if (!is_on.value_or(false)) return;
    }
    option.add_result(*text);
    option.run_callback();
  } catch (const CLI::Error& error) {
    // CLI11's message starts with the option's name, which the problem's key already names.
    std::string why = error.what();
    const std::string name = "--" + long_name(option) + ": ";
    if (why.rfind(name, 0) == 0) why.erase(0, name.size());
    problems.push_back(problem_of(setting, std::move(why)));
  }
}

}  // namespace

std::optional<bool> flag_value(const std::string& text) {
  bool out = false;
  return CLI::detail::lexical_cast(text, out) ? std::optional(out) : std::nullopt;
}

Value default_value(const ConfigurableOption& option) {
  if (option.is_switch) return Value(false);
  if (option.default_text.empty()) return Value();
  const std::optional<std::int64_t> number = integer_from(option.default_text);
  return number ? Value(*number) : Value(option.default_text);
}

std::vector<ConfigurableOption> configurable_options(const CLI::App& app) {
  std::vector<ConfigurableOption> out;
  for (const CLI::App* command : all_commands(app)) {
    if (command->get_name() == "dryrun") continue;
    for (const CLI::Option* option : command->get_options()) {
      if (!is_configurable(*option)) continue;
      out.push_back({{Section::kCli, section_name(*command), long_name(*option)},
                     option->get_description(),
                     option->get_default_str(),
                     is_flag(*option)});
    }
    if (section_name(*command) == "run") {
      out.push_back({{Section::kCli, "run", kDefaultComponent},
                     "The component that runs if no APP is given",
                     {},
                     false});
    }
  }
  return out;
}

std::vector<Setting> given_options(CLI::App& app) {
  std::vector<Setting> out;
  for (const CLI::App* command : chosen_commands(app)) {
    for (const CLI::Option* option : command->get_options()) {
      if (!is_configurable(*option) || option->count() == 0) continue;
      Setting setting;
      setting.key = {Section::kCli, section_name(*command), long_name(*option)};
      setting.value.type = is_flag(*option) ? spec::NodeType::kBool : spec::NodeType::kString;
      setting.value.text = option->results().back();
      setting.value.boolean = is_flag(*option) && flag_value(setting.value.text).value_or(false);
      setting.notation = Notation::kText;
      setting.layer = Layer::kFlag;
      setting.where.file = "--" + long_name(*option);
      out.push_back(std::move(setting));
    }
  }
  return out;
}

Setting profile_flag(const std::string& name) {
  Setting out;
  out.key = {Section::kCli, {}, "profile"};
  out.value.type = spec::NodeType::kString;
  out.value.text = name;
  out.notation = Notation::kText;
  out.layer = Layer::kFlag;
  out.where.file = "--profile";
  return out;
}

void check_option_settings(const CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems) {
  for (const Setting& setting : settings.in_order()) {
    if (setting.key.section != Section::kCli || setting.notation != Notation::kToml) continue;
    if (setting.key.name == "run" && setting.key.option == kDefaultComponent) continue;
    const Found found = look_up(app, setting.key);
    if (!found.has_command) {
      problems.push_back(unknown_command(app, setting));
    } else if (found.option == nullptr) {
      problems.push_back(unknown_option(app, setting));
    } else if (!is_configurable(*found.option)) {
      problems.push_back(not_configurable(setting));
    }
  }
}

void check_option_values(CLI::App& app, const config::Settings& settings,
                         std::vector<spec::Problem>& problems) {
  for (const Setting& setting : settings.in_order()) {
    if (setting.key.section != Section::kCli) continue;
    for (CLI::App* command : all_commands(app)) {
      if (section_name(*command) != setting.key.name) continue;
      CLI::Option* option = command->get_option_no_throw("--" + setting.key.option);
      if (option == nullptr || !is_configurable(*option)) continue;
      give(*option, setting, problems);
      option->clear();
      break;  // `dryrun`, which comes later, has only options that `run` has
    }
  }
}

void apply_option_settings(CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems) {
  std::set<const CLI::Option*> decided;  // options whose highest setting was used or refused
  const auto& all = settings.in_order();
  // From the highest layer down, so that of two options that exclude each other, the one from the
  // higher layer has its value first.
  for (auto setting = all.rbegin(); setting != all.rend(); ++setting) {
    if (setting->key.section != Section::kCli || setting->layer == Layer::kFlag) continue;
    for (CLI::App* command : chosen_commands(app)) {
      if (section_name(*command) != setting->key.name) continue;
      CLI::Option* option = command->get_option_no_throw("--" + setting->key.option);
      if (option == nullptr || !is_configurable(*option) || option->count() > 0) continue;
      if (is_excluded(*option) || !decided.insert(option).second) continue;
      give(*option, *setting, problems);
    }
  }
}

}  // namespace slipway::cli
