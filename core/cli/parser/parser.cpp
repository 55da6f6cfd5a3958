#include "core/cli/parser/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/cli/options/option_settings.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/command_tree.hpp"
#include "core/cli/parser/component_words.hpp"
#include "core/cli/parser/torchx_options.hpp"
#include "core/cli/parser/wrong_usage.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

using config::Section;

/// Throws Error kUsage if both an APP and --stdin are given.
void check_single_source(const CommandTree& tree) {
  if (tree.run.from_stdin && !tree.run.app.empty())
    throw Error(Code::kUsage,
                "both --stdin and " + spec::quoted(tree.run.app) + " say what to run");
}

/// Throws Error kUsage for an option or an optional argument with an empty value, which commands
/// would treat as absent: `prune --name '*' --state "$STATE"` would delete more apps if STATE is
/// not set. Only the values of -c, as a list without run options, and of --workspace may be empty:
/// as with TorchX, an empty --workspace is none, also if the configuration names one.
void check_no_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string>& values = option->results();
    const bool may_be_empty = option->get_items_expected_max() == 0 || option->get_required() ||
                              option->check_lname("cfg") || option->check_lname("workspace");
    if (may_be_empty || std::find(values.begin(), values.end(), std::string()) == values.end())
      continue;
    const char* what = option->nonpositional() ? "option" : "argument";
    throw Error(Code::kUsage,
                std::string("the ") + what + " " + option->get_name() + " has an empty value",
                std::string("give a value, or leave the ") + what + " out");
  }
  for (const CLI::App* sub : command.get_subcommands()) check_no_empty_values(*sub);
}

void parse(CommandTree& tree, const std::vector<std::string>& arguments) {
  SplitArguments split = split_arguments(tree.app, with_known_options(tree.app, arguments));
  split.own = with_empty_values(tree.app, split.own);
  tree.run.app = std::move(split.call.component);
  tree.run.component.words = std::move(split.call.args);
  tree.run.may_be_program = split.after_separator;
  std::vector<std::string> reversed(split.own.rbegin(), split.own.rend());  // CLI11's order
  tree.app.parse(std::move(reversed));
}

constexpr const char* kHelp = "help";
constexpr const char* kHelpOption = "--help";

/// Returns the position of the first word from `start` on that is neither an option nor the value
/// of a global option. Returns the number of arguments if there is none.
std::size_t plain_word(const CLI::App& app, const std::vector<std::string>& arguments,
                       std::size_t start) {
  for (std::size_t i = start; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.size() < 2 || word.front() != '-') return i;
    if (value_follows(app, nullptr, word)) ++i;
  }
  return arguments.size();
}

/// Returns whether the arguments call `run` or `dryrun` with a component.
bool names_component(const std::vector<std::string>& arguments) {
  const CommandTree tree(CommandTree::Adds::kMentioned, arguments);
  return !split_arguments(tree.app, with_known_options(tree.app, arguments)).call.component.empty();
}

/// Returns whether the word is `--json` or `--json=VALUE`.
bool is_json_flag(std::string_view word) { return word == "--json" || word.starts_with("--json="); }

/// Returns whether a flag such as `--json=yes` is on. Returns false for a wrong value, which the
/// parser refuses.
bool is_on(const std::string& flag) {
  const std::size_t equals = flag.find('=');
  if (equals == std::string::npos || equals + 1 == flag.size()) return true;
  return flag_value(flag.substr(equals + 1)).value_or(false);
}

/// Returns `help` as `--help` and `help COMMAND…` as `COMMAND… --help`, which also explains
/// components. Global options may come before and after `help`. Leaves a topic to the command
/// `help`, and also a call with --json, because --help prints no JSON. But if the call names a
/// component, as in `help run utils.echo`, removes --json, and parse_arguments() sets help_as_json.
/// For `help`, also removes `--` with the program after it. Returns other arguments unchanged.
std::vector<std::string> with_help_option(std::vector<std::string> arguments) {
  // A program after `--` would get --help, and run.
  const std::vector<std::string> own(arguments.begin(),
                                     std::find(arguments.begin(), arguments.end(), "--"));
  if (std::find(own.begin(), own.end(), kHelp) == own.end()) return arguments;
  if (own.size() == 1) return {kHelpOption};
  const CommandTree names(CommandTree::Adds::kNames);
  const std::vector<std::string> words = with_known_options(names.app, own);
  const std::size_t help = plain_word(names.app, words, 0);
  if (help == words.size() || words[help] != kHelp) return arguments;
  const std::size_t command = plain_word(names.app, words, help + 1);
  if (command == words.size() || subcommand_named(names.app, words[command]) == nullptr) return own;
  std::vector<std::string> out = own;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(help));
  // After the name of a component, --json would belong to the component.
  if (std::erase_if(out, is_json_flag) > 0 && !names_component(out)) return own;
  out.emplace_back(kHelpOption);
  return out;
}

/// Parses with a tree of only those commands that the arguments mention. Returns the tree, or null
/// and a `text` to print. Returns null without a text if parsing fails or no command is called.
std::shared_ptr<CommandTree> parse_mentioned_commands(const std::vector<std::string>& arguments,
                                                      std::string& text) {
  auto tree = std::make_shared<CommandTree>(CommandTree::Adds::kMentioned, arguments);
  try {
    parse(*tree, arguments);
  } catch (const CLI::CallForHelp&) {
    const bool of_command = !tree->app.get_subcommands().empty();
    text = of_command ? tree->app.help() : CommandTree(CommandTree::Adds::kNames).app.help();
    return nullptr;
  } catch (const CLI::CallForVersion&) {
    text = version_text();
    return nullptr;
  } catch (const CLI::ParseError&) {
    return nullptr;
  }
  return tree->chosen ? tree : nullptr;
}

/// Returns how the command treats errors in the configuration. A command that applies or shows the
/// configuration must not run if the configuration has errors.
ConfigErrors treatment_of_errors(const CommandTree& tree) {
  if (!tree.reads_config) return ConfigErrors::kNotRead;
  const auto called = tree.app.get_subcommands();
  const std::string name = called.empty() ? std::string() : called.front()->get_name();
  const auto below = [&](const char* sub) { return called.front()->got_subcommand(sub); };
  if ((name == "plugin" && below("doctor")) || (name == "config" && below("check")))
    return ConfigErrors::kReported;
  for (const char* applying : {"run", "dryrun", "rerun", "config", "lint"}) {
    if (name == applying) return ConfigErrors::kFatal;
  }
  return ConfigErrors::kWarnings;
}

/// Returns whether configuration files or the environment set options of commands.
bool sets_options(const config::Settings& settings) {
  const auto& all = settings.in_order();
  return std::any_of(all.begin(), all.end(), [](const config::Setting& setting) {
    return setting.key.section == Section::kCli && setting.layer != config::Layer::kFlag;
  });
}

}  // namespace

bool asks_for_json(const std::vector<std::string>& arguments) {
  const CommandTree tree(CommandTree::Adds::kMentioned, arguments);
  bool out = false;
  for (const std::string& word :
       split_arguments(tree.app, with_known_options(tree.app, arguments)).own) {
    if (is_json_flag(word)) out = is_on(word);
  }
  return out;
}

ParsedCommand parse_arguments(const std::vector<std::string>& given) {
  const std::vector<std::string> arguments = with_help_option(given);
  ParsedCommand out;
  // The chosen command refers to the tree's variables.
  const std::shared_ptr<CommandTree> tree = parse_mentioned_commands(arguments, out.text);
  if (!out.text.empty()) return out;
  if (!tree) {
    CommandTree all(CommandTree::Adds::kAll);
    try {
      parse(all, arguments);
    } catch (const CLI::ParseError& error) {
      throw wrong_usage(all.app, error);
    }
    throw Error(
        Code::kUsage, "no command given",
        "`slipway run app.toml` runs an app, `slipway run -- PROGRAM` a program; `slipway --help` "
        "lists the commands");
  }
  check_no_empty_values(tree->app);
  check_single_source(*tree);
  tree->run.component.help_as_json = arguments != given && asks_for_json(given);
  out.globals = tree->globals;
  out.command = [tree](Invocation& invocation) { return tree->chosen(invocation); };
  out.config_errors = treatment_of_errors(*tree);
  out.flags = given_options(tree->app);
  out.apply_settings = [tree](const config::Settings& settings,
                              std::vector<spec::Problem>& problems) {
    // The check needs a tree of all commands, which calls without such settings need not make.
    if (sets_options(settings)) check_option_settings(*make_cli_app(), settings, problems);
    apply_option_settings(tree->app, settings, problems);
    return tree->globals;
  };
  return out;
}

}  // namespace slipway::cli
