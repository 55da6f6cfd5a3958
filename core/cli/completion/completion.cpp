#include "core/cli/completion/completion.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cli/completion/bash_line.hpp"
#include "core/cli/completion/names.hpp"
#include "core/cli/completion/place.hpp"
#include "core/cli/help/help_topics.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/options/option_settings.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/command_tree.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/components/component_reference.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/name_rule.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/signal_name.hpp"
#include "slipway/app_state.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

using config::Section;

/// Returns `words` as candidates without help.
Candidates words_of(const std::vector<std::string>& words) {
  Candidates out;
  for (const std::string& word : words) out.push_back({word, {}});
  return out;
}

void append(Candidates& to, Candidates from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Default time limit of a plug-in, in seconds: the user waits for the answer after each TAB.
constexpr double kPluginPatienceS = 2;

/// Returns whether candidates for the command are only apps that have not ended.
bool is_for_active(const std::string& command) {
  return command == "cancel" || command == "signal" || command == "attach";
}

class Completer {
 public:
  Completer(const CLI::App& app, CompletionPlace place, const std::string& current)
      : app_(app),
        place_(std::move(place)),
        written_(current.substr(place_.option_part.size())),
        config_(load_configuration(globals(), chosen_profile())),
        invocation_(configured_globals(), config_.settings, config_.site) {}

  Candidates find() {
    if (place_.is_for_configured_component)
      place_.call.component = invocation_.config().default_component();
    if (!place_.call.component.empty()) return arguments_of_component();
    if (place_.is_for_configured_component) return {};
    if (place_.names_option) return option_names();
    Candidates out = place_.option != nullptr ? values() : subcommands();
    for (Candidate& candidate : out) candidate.text.insert(0, place_.option_part);
    return out;
  }

 private:
  /// Returns the global options that choose the configuration.
  GlobalOptions globals() const {
    GlobalOptions out;
    out.config_file = place_.value_of("config");
    return out;
  }

  /// Returns the profile that the command line chooses, as a setting.
  std::vector<config::Setting> chosen_profile() const {
    const std::string name = place_.value_of("profile");
    if (name.empty()) return {};
    return {profile_flag(name)};
  }

  /// Returns the global options of the command line and of the configuration.
  GlobalOptions configured_globals() const {
    GlobalOptions out = globals();
    const std::string session = setting("", "session", out.session);
    if (spec::name_fault(session).empty()) out.session = session;
    out.plugin_timeout_s = real_from(setting("", "plugin-timeout", "")).value_or(kPluginPatienceS);
    const bool configured = setting("", "no-plugins", "false") == "true";
    out.no_plugins = flag_on_line("no-plugins").value_or(configured);
    for (const auto& [option, value] : place_.given) {
      if (option_name(*option) == "plugin-path") out.plugin_path.push_back(value);
    }
    return out;
  }

  /// Returns whether the flag is on, or nothing if the command line does not have it.
  std::optional<bool> flag_on_line(const std::string& name) const {
    const auto last =
        std::find_if(place_.given.rbegin(), place_.given.rend(),
                     [&](const auto& each) { return option_name(*each.first) == name; });
    if (last == place_.given.rend()) return std::nullopt;
    return last->second.empty() || flag_value(last->second).value_or(false);
  }

  /// Returns the value of an option of `command` (empty: a global option) from the command line or
  /// the configuration, or else `default_value`.
  std::string setting(const std::string& command, const std::string& name,
                      const std::string& default_value) const {
    if (const std::string value = place_.value_of(name); !value.empty()) return value;
    const config::Setting* set = config_.settings.find({Section::kCli, command, name});
    if (set == nullptr) return default_value;
    return set->value.type == spec::NodeType::kBool ? (set->value.boolean ? "true" : "false")
                                                    : set->value.text;
  }

  Candidates subcommands() const {
    Candidates out;
    for (const CLI::App* sub : subcommands_of(*place_.command))
      out.push_back({sub->get_name(), sub->get_description()});
    return out;
  }

  Candidates option_names() const {
    Candidates out;
    for (const CLI::App* each : {place_.command, &app_}) {
      for (const CLI::Option* option : each->get_options()) {
        for (const std::string& name : option->get_lnames())
          out.push_back({"--" + name, option->get_description()});
      }
    }
    return out;
  }

  Candidates arguments_of_component() {
    if (written_.rfind('-', 0) == 0) return parameter_options(invocation_, place_.call);
    return file_names(written_, {});
  }

  /// Returns candidates for the APP argument of `run`: files, components of a file, components.
  Candidates apps() {
    if (written_.find(':') != std::string::npos) {
      const components::ComponentReference reference = components::parse_reference(written_);
      if (!reference.file.empty()) return components_of_file(reference.file);
    }
    if (const std::string source = source_before_colon(); !source.empty())
      return components_of_source(invocation_, source);
    Candidates out = app_files();
    if (written_.find('/') == std::string::npos) append(out, component_names(invocation_));
    return out;
  }

  Candidates linted_files() {
    const std::string source = source_before_colon();
    return source.empty() ? app_files() : components_of_source(invocation_, source);
  }

  /// Returns the file of `FILE:…` if a plug-in reads its components, or an empty text.
  std::string source_before_colon() {
    if (written_.find(':') == std::string::npos) return {};
    return invocation_.components().parse_source_file(written_).file;
  }

  /// Returns files of apps and components.
  Candidates app_files() {
    const std::vector<std::string> claimed = invocation_.components().source_endings();
    std::vector<std::string_view> endings = {".toml", ".json"};
    endings.insert(endings.end(), claimed.begin(), claimed.end());
    return file_names(written_, endings);
  }

  /// Returns the ids of apps, or their handles if the word is the start of no id.
  Candidates handles() {
    const std::string command = place_.command->get_name();
    const AppsOf which = is_for_active(command) ? AppsOf::kActive
                         : command == "delete"  ? AppsOf::kFinished
                                                : AppsOf::kAll;
    Candidates out;
    if (written_.find(':') == std::string::npos)
      out = app_names(invocation_, which, AppNames::kIds);
    const auto fits = [&](const Candidate& app) { return app.text.rfind(written_, 0) == 0; };
    if (std::any_of(out.begin(), out.end(), fits)) return out;
    return app_names(invocation_, which, AppNames::kHandles);
  }

  Candidates setting_keys() {
    Candidates out;
    for (const ConfigurableOption& option : configurable_options(app_))
      out.push_back({to_string(option.key), {}});
    for (const config::Setting* each : config_.settings.in_force())
      out.push_back({to_string(each->key), {}});
    if (written_.rfind("scheduler.", 0) != 0) return out;
    for (const Candidate& scheduler : scheduler_names(invocation_)) {
      const std::string section = "scheduler." + scheduler.text + ".";
      if (written_.rfind(section, 0) != 0) {
        out.push_back({section, {}});
        continue;
      }
      const auto answers = invocation_.runner().run_opts_of({scheduler.text});
      for (const RunOpt& option : answers.front().answer)
        out.push_back({section + option.name, {}});
    }
    return out;
  }

  /// Returns candidates for the value of the option or argument at the cursor.
  Candidates values() {
    const std::string name = option_name(*place_.option);
    const std::string group = place_.command->get_parent() != nullptr
                                  ? place_.command->get_parent()->get_name()
                                  : std::string();
    if (name == "APP") return apps();
    if (name == "HANDLE") return handles();
    if (name == "scheduler" || name == "SCHED") return scheduler_names(invocation_);
    if (name == "cfg")
      return run_options(invocation_, setting("run", "scheduler", kDefaultScheduler), written_);
    if (name == "param") return parameter_settings(invocation_, place_.value_of("APP"));
    if (name == "ID") return plugin_names(invocation_);
    if (name == "NAME" && group == "resource") return resource_candidates(invocation_);
    if (name == "NAME" && group == "component") return component_names(invocation_);
    if (name == "KEY") return setting_keys();
    if (name == "SIG") return words_of(signal_names());
    if (name == "TOPIC") return help_names();
    if (name == "SHELL") return words_of({"bash", "zsh", "fish"});
    if (name == "profile") return words_of(config_.profiles);
    if (name == "log-level") return words_of({"trace", "debug", "info", "warning", "error"});
    if (name == "stream") return words_of({"combined", "stdout", "stderr"});
    if (name == "state" || name == "for")
      return words_of({kAppStateNames.begin(), kAppStateNames.end()});
    if (name == "allow") return lint_rules();
    if (name == "FILE" && place_.command->get_name() == "lint") return linted_files();
    if (name == "FILE" || name == "config" || name == "plugin-path")
      return file_names(written_, {});
    return {};
  }

  /// Returns the commands and topics that `help` explains, or the commands below those that are
  /// written already.
  Candidates help_names() const {
    const CLI::App* command = &app_;
    for (const auto& [option, word] : place_.given) {
      if (option_name(*option) != "TOPIC") continue;
      command = subcommand_named(*command, word);
      if (command == nullptr) return {};
    }
    Candidates out;
    for (const CLI::App* sub : subcommands_of(*command))
      out.push_back({sub->get_name(), sub->get_description()});
    if (command != &app_) return out;
    for (const HelpTopic& topic : help_topics())
      out.push_back({std::string(topic.name), std::string(topic.summary)});
    return out;
  }

  static Candidates lint_rules() {
    Candidates out;
    for (const lint::Rule& rule : lint::rules())
      out.push_back({std::string(rule.name), std::string(rule.what)});
    return out;
  }

  const CLI::App& app_;
  CompletionPlace place_;
  std::string written_;  // the typed part of the value
  config::Loaded config_;
  Invocation invocation_;
};

/// Returns the candidates that start with `current`, sorted, each once. `words` precede it, without
/// the name of the command. Mistakes in files, plug-ins and words only reduce the candidates.
Candidates complete(const std::vector<std::string>& words, const std::string& current) {
  Candidates out;
  try {
    const std::shared_ptr<const CLI::App> app = make_cli_app();
    out = Completer(*app, completion_place(*app, words, current), current).find();
  } catch (const std::exception&) {
    // An unfinished line is no failure, and messages would disturb the prompt.
  }
  std::erase_if(out, [&](const Candidate& each) {
    return each.text.rfind(current, 0) != 0 || each.text.find('\n') != std::string::npos;
  });
  std::sort(out.begin(), out.end(),
            [](const Candidate& a, const Candidate& b) { return a.text < b.text; });
  const auto same = [](const Candidate& a, const Candidate& b) { return a.text == b.text; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

// The time limit of a completion, in seconds: a prompt that hangs is worse than a word that is not
// completed.
constexpr unsigned kCompletionLimitS = 10;

std::string bash_answer(const std::string& text, const std::string& breaks) {
  const BashLine line = parse_bash_line(text, breaks);
  std::string out;
  for (const Candidate& candidate : complete(line.words, line.current))
    out += bash_reply(line, candidate.text) + "\n";
  return out;
}

std::string words_answer(std::vector<std::string> words) {
  std::string current;
  if (!words.empty()) {
    current = words.back();
    words.pop_back();
  }
  std::string out;
  for (const Candidate& candidate : complete(words, current)) {
    const std::string help = candidate.help.substr(0, candidate.help.find('\n'));
    out += candidate.text + (help.empty() ? "" : "\t" + visible_line(help)) + "\n";
  }
  return out;
}

}  // namespace

int answer_completion(const std::vector<std::string>& arguments) {
  ::alarm(kCompletionLimitS);
  set_log_level(LogLevel::kError);
  try {
    if (arguments.size() == 3 && arguments[0] == "bash")
      write_output(bash_answer(arguments[1], arguments[2]));
    else if (!arguments.empty() && arguments[0] == "words")
      write_output(words_answer({arguments.begin() + 1, arguments.end()}));
  } catch (const std::exception&) {
    // The shell no longer reads the answer.
  }
  return kExitOk;
}

}  // namespace slipway::cli
