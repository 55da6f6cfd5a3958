#include "core/cli/parser/wrong_usage.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cli/help/help_topics.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/command_tree.hpp"
#include "core/cli/parser/component_words.hpp"
#include "core/components/component_file.hpp"
#include "core/spec/document.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::cli {

namespace {

/// Returns the command as a user types it: `slipway plugin list`.
std::string full_name(const CLI::App& app) {
  return app.get_parent() != nullptr ? full_name(*app.get_parent()) + " " + app.get_name()
                                     : app.get_name();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : subcommands_of(app)) out.push_back(sub->get_name());
  return out;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

/// Returns the deepest command that was parsed.
const CLI::App& deepest_command(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : deepest_command(*subs.front());
}

/// Returns the hint for a command of TorchX or of another launcher that has another name in
/// Slipway; empty for other words.
std::string other_command(std::string_view word) {
  using Other = std::pair<std::string_view, std::string_view>;
  static constexpr std::array kCommands = {
      Other{"builtins", "component list"},
      Other{"configure", "config init"},
      Other{"tracker", ""},
      Other{"submit", "run -d"},
      Other{"start", "run"},
      Other{"up", "run"},
      Other{"ps", "list"},
      Other{"top", "list"},
      Other{"watch", "events -f"},
      Other{"ls", "list"},
      Other{"logs", "log"},
      Other{"stop", "cancel"},
      Other{"down", "cancel"},
      Other{"kill", "cancel --now"},
      Other{"rm", "delete"},
      Other{"restart", "rerun"},
  };
  for (const auto& [theirs, ours] : kCommands) {
    if (theirs != word) continue;
    if (ours.empty()) return "Slipway passes trackers on to replicas and reads nothing from them";
    return "write `slipway " + std::string(ours) + "`";
  }
  return {};
}

/// Returns the hint for an option of TorchX or of another tool that has another name in Slipway;
/// empty for other options.
std::string other_option(const CLI::App& command, std::string_view option) {
  if (command.get_name() != "log") return {};
  if (option == "-t" || option == "-n" || option == "--lines") return kTailHint;
  return option == "--grep" ? "write --regex" : "";
}

/// Returns the hint for `--no-FLAG` of a flag of the command or of the app; empty for other
/// options.
std::string negated_flag(const CLI::App& app, const CLI::App& command, const std::string& option) {
  constexpr std::string_view kNo = "--no-";
  if (!option.starts_with(kNo)) return {};
  const std::string flag = "--" + option.substr(kNo.size());
  for (const CLI::App* const each : {&command, &app}) {
    const CLI::Option* const found = each->get_option_no_throw(flag);
    const bool is_flag = found != nullptr && found->get_items_expected_max() == 0;
    if (is_flag && found != each->get_help_ptr() && found != each->get_version_ptr())
      return "write " + flag + "=false";
  }
  return {};
}

/// Returns the hint for a word after the file of components that `run` got: words belong to a
/// component only after FILE:NAME. Returns an empty text if the APP is another one.
std::string component_hint(const CLI::App& command, const std::string& word) {
  if (!takes_component_words(command)) return {};
  const CLI::Option* const app = command.get_option_no_throw("APP");
  if (app == nullptr || app->results().size() != 1) return {};
  const std::string& file = app->results().front();
  spec::ProblemList problems;
  std::string name = "NAME";
  try {
    spec::Node document = spec::read_document(file);
    if (!components::holds_components(document)) return {};
    const auto found = components::read_component_file(std::move(document), file, problems);
    if (found.components.size() == 1) name = found.components.front().info.name;
  } catch (const Error&) {
    return {};  // the command would report what is wrong with the file
  }
  return "the arguments of a component follow its name: `" + full_name(command) + " " +
         shell_joined({file + ":" + name, word}) + "`; or set a parameter with -P NAME=VALUE";
}

/// Returns the hint for the name of a help topic; empty for other words.
std::string topic_hint(const std::string& word) {
  const auto topics = help_topics();
  const bool is_topic = std::any_of(topics.begin(), topics.end(),
                                    [&](const HelpTopic& topic) { return topic.name == word; });
  return is_topic ? "`slipway help " + word + "` explains it" : std::string();
}

/// Returns the error about `extra`, a word that the parser did not expect.
Error unexpected(const CLI::App& app, const std::string& extra) {
  const CLI::App& where = deepest_command(app);
  const std::string help = "`" + full_name(where) + " --help` explains its use";
  if (extra.size() > 1 && extra.front() == '-') {
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> names = option_names(where);
    const std::vector<std::string> globals = option_names(app);
    names.insert(names.end(), globals.begin(), globals.end());
    std::string hint = other_option(where, name);
    if (hint.empty()) hint = negated_flag(app, where, name);
    if (hint.empty()) {
      hint = spec::did_you_mean(name, names);
      const std::string of_component = component_hint(where, name);
      if (!of_component.empty()) hint += (hint.empty() ? "" : " ") + of_component;
    }
    return Error(Code::kUsage, "unknown option " + spec::quoted(name), hint.empty() ? help : hint);
  }
  const std::vector<std::string> names = command_names(where);
  if (!names.empty()) {
    std::string near = &where == &app ? other_command(extra) : std::string();
    if (near.empty() && &where == &app) near = topic_hint(extra);
    if (near.empty()) near = spec::did_you_mean(extra, names);
    return Error(Code::kUsage, "unknown command " + spec::quoted(extra),
                 near.empty() ? help : near);
  }
  const std::string hint = component_hint(where, extra);
  return Error(Code::kUsage, "unexpected argument " + spec::quoted(extra),
               hint.empty() ? help : hint);
}

/// Returns the first argument that neither the app nor its command could parse.
std::string first_extra(const CLI::App& app) {
  constexpr bool kAlsoOfSubcommands = true;
  const auto extras = app.remaining(kAlsoOfSubcommands);
  return extras.empty() ? std::string() : extras.front();
}

}  // namespace

Error wrong_usage(const CLI::App& app, const CLI::ParseError& error) {
  const std::string extra = first_extra(app);
  if (!extra.empty()) return unexpected(app, extra);
  const CLI::App& where = deepest_command(app);
  const bool lacks_word = error.get_name() == "RequiredError";
  const bool lacks_command = lacks_word && !command_names(where).empty();
  const std::string what = error.what();
  const bool lacks_handle = lacks_word && what.starts_with("HANDLE");
  return Error(
      Code::kUsage, lacks_command ? "`" + full_name(where) + "` needs a command" : what,
      (lacks_handle ? "@last is the newest app, and `slipway list` shows those that run; `" : "`") +
          full_name(where) + " --help` explains its use");
}

}  // namespace slipway::cli
