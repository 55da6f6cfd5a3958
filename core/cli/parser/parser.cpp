#include "core/cli/parser/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "core/cli/options/option_settings.hpp"
#include "core/cli/parser/command_tree.hpp"
#include "core/cli/parser/component_words.hpp"
#include "core/cli/parser/wrong_usage.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

using config::Section;

/// What `run` is to run: one APP, or what standard input says.
void settle_app(const CommandTree& tree) {
  if (tree.run.from_stdin && !tree.run.app.empty())
    throw Error(Code::kUsage,
                "--stdin says what to run, and so does " + spec::quoted(tree.run.app));
}

void parse(CommandTree& tree, const std::vector<std::string>& arguments) {
  SplitArguments split = split_arguments(tree.app, arguments);
  tree.run.app = std::move(split.call.component);
  tree.run.component.words = std::move(split.call.args);
  std::vector<std::string> reversed(split.own.rbegin(), split.own.rend());  // as CLI11 wants them
  tree.app.parse(std::move(reversed));
}

/// The tree with its command chosen; or null and a text to print, or null for words that need all
/// commands: because they call for a list of them, or are wrong.
std::shared_ptr<CommandTree> parse_called(const std::vector<std::string>& arguments,
                                          std::string& text) {
  auto tree = std::make_shared<CommandTree>(arguments);
  try {
    parse(*tree, arguments);
  } catch (const CLI::CallForHelp&) {
    if (!tree->app.get_subcommands().empty()) text = tree->app.help();
    return nullptr;
  } catch (const CLI::CallForVersion&) {
    text = version_text();
    return nullptr;
  } catch (const CLI::ParseError&) {
    return nullptr;
  }
  return tree->chosen ? tree : nullptr;
}

/// Commands that act on what is configured, or show it, must not do so with a part of it missing.
ConfigUse config_use(const CommandTree& tree) {
  if (!tree.reads_config) return ConfigUse::kNone;
  const auto called = tree.app.get_subcommands();
  const std::string name = called.empty() ? std::string() : called.front()->get_name();
  const auto below = [&](const char* sub) { return called.front()->got_subcommand(sub); };
  if ((name == "plugin" && below("doctor")) || (name == "config" && below("check")))
    return ConfigUse::kJudge;
  for (const char* obeying : {"run", "dryrun", "rerun", "config", "lint"}) {
    if (name == obeying) return ConfigUse::kObey;
  }
  return ConfigUse::kLook;
}

bool sets_options(const config::Settings& settings) {
  const auto& all = settings.in_order();
  return std::any_of(all.begin(), all.end(), [](const config::Setting& setting) {
    return setting.key.section == Section::kCli && setting.layer != config::Layer::kFlag;
  });
}

}  // namespace

bool asks_for_json(const std::vector<std::string>& arguments) {
  const CommandTree tree(arguments);
  const std::vector<std::string> own = split_arguments(tree.app, arguments).own;
  return std::find(own.begin(), own.end(), "--json") != own.end();
}

std::shared_ptr<CLI::App> command_tree() {
  const auto tree = std::make_shared<CommandTree>();
  return {tree, &tree->app};
}

ParsedCommand parse_arguments(const std::vector<std::string>& arguments) {
  ParsedCommand out;
  // the chosen command refers to the tree's storage
  const std::shared_ptr<CommandTree> tree = parse_called(arguments, out.text);
  if (!out.text.empty()) return out;
  if (!tree) {
    CommandTree all;
    try {
      parse(all, arguments);
    } catch (const CLI::CallForHelp&) {
      out.text = all.app.help();
      return out;
    } catch (const CLI::ParseError& error) {
      throw wrong_usage(all.app, error);
    }
    throw Error(Code::kUsage, "there is no command", "`slipway --help` lists the commands");
  }
  settle_app(*tree);
  out.globals = tree->globals;
  out.command = [tree](Invocation& invocation) { return tree->chosen(invocation); };
  out.config_use = config_use(*tree);
  out.flags = flag_settings(tree->app);
  out.configured = [tree](const config::Settings& settings, std::vector<spec::Problem>& problems) {
    if (sets_options(settings)) check_option_settings(*command_tree(), settings, problems);
    apply_option_settings(tree->app, settings, problems);
    return tree->globals;
  };
  return out;
}

}  // namespace slipway::cli
