// `help`: explains a command or a topic.
#include <sys/ioctl.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/cli/commands/commands.hpp"
#include "core/cli/help/help_topics.hpp"
#include "core/cli/help/page_text.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

/// Returns the width of lines: the width of the terminal, within limits that are easy to read.
std::size_t line_width() {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kNarrowest = 40;
  constexpr std::size_t kWidest = 110;
  winsize size{};
  if (::ioctl(standard_output(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
}

/// The text about a command or a topic, and its name.
struct Explained {
  std::string name;
  std::string text;
};

/// Returns the help of the command that the words name, such as `plugin list`. Ignores further
/// words. Returns an empty text if there is no such command.
Explained command_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string above;  // the names of the commands above `command`, such as "slipway plugin"
  Explained out;
  for (const std::string& word : words) {
    const CLI::App* const sub = subcommand_named(*command, word);
    if (sub == nullptr) break;
    above += (above.empty() ? "" : " ") + command->get_name();
    out.name += (out.name.empty() ? "" : " ") + word;
    command = sub;
  }
  if (command != &app || words.empty()) out.text = command->help(above);
  return out;
}

/// Returns the text of the topic, or an empty text if there is no such topic.
std::string topic_help(const std::string& name) {
  for (const HelpTopic& topic : help_topics()) {
    if (topic.name != name) continue;
    return page_text(topic.markdown, line_width()) + "\nFrom core/docs/" + std::string(topic.page) +
           "; `slipway help` lists all topics.\n";
  }
  return {};
}

/// Returns the error about a word that is neither a command nor a topic. Its hint is the nearest
/// name. If none is near, it is the first name that starts with the word; of a word with more than
/// four letters, the last letter is ignored, so that `retry` finds `retries`.
Error unknown_name(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* sub : subcommands_of(app)) names.push_back(sub->get_name());
  for (const HelpTopic& topic : help_topics()) names.emplace_back(topic.name);
  std::string near = spec::did_you_mean(name, names);
  constexpr std::size_t kSeveral = 4;
  const std::string start = name.size() > kSeveral ? name.substr(0, name.size() - 1) : name;
  for (const std::string& each : names) {
    if (near.empty() && !name.empty() && each.starts_with(start))
      near = "did you mean " + each + "?";
  }
  return Error(Code::kUsage, "there is no command or topic " + spec::quoted(name),
               near.empty() ? "`slipway help` lists them" : near);
}

}  // namespace

int help(Invocation& invocation, const HelpCommand& command) {
  const std::shared_ptr<CLI::App> app = command.make_cli_app();
  Explained found = command_help(*app, command.words);
  if (found.text.empty()) {
    found.name = command.words.front();  // without words, command_help() has found a text
    found.text = topic_help(found.name);
  }
  if (found.text.empty()) throw unknown_name(*app, found.name);
  if (invocation.json()) {
    write_json(help_json(found.name, found.text));
  } else {
    write_output(found.text);
  }
  return kExitOk;
}

}  // namespace slipway::cli
