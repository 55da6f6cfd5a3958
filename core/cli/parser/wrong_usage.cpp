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
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"

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
    std::string near = spec::did_you_mean(name, names);
    if (name == "-t" && where.get_name() == "log") near = kTailHint;  // an option of TorchX
    return Error(Code::kUsage, "unknown option " + spec::quoted(name), near.empty() ? help : near);
  }
  const std::vector<std::string> names = command_names(where);
  if (!names.empty()) {
    std::string near = &where == &app ? other_command(extra) : std::string();
    if (near.empty() && &where == &app) near = topic_hint(extra);
    if (near.empty()) near = spec::did_you_mean(extra, names);
    return Error(Code::kUsage, "unknown command " + spec::quoted(extra),
                 near.empty() ? help : near);
  }
  return Error(Code::kUsage, "unexpected argument " + spec::quoted(extra), help);
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
