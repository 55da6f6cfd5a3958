#include "core/cli/parser/component_words.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "core/cli/options/subcommands.hpp"
#include "core/components/component_reference.hpp"

namespace slipway::cli {

namespace {

/// Returns the option of the command `sub`, which may be null, or the global option.
const CLI::Option* find_option(const CLI::App& app, const CLI::App* sub, const std::string& name) {
  const CLI::Option* option = sub != nullptr ? sub->get_option_no_throw(name) : nullptr;
  return option != nullptr ? option : app.get_option_no_throw(name);
}

}  // namespace

bool value_follows(const CLI::App& app, const CLI::App* sub, const std::string& word) {
  const auto takes_value = [&](const std::string& name) {
    const CLI::Option* option = find_option(app, sub, name);
    return option != nullptr && option->get_items_expected_max() > 0;
  };
  if (word[1] == '-') return word.find('=') == std::string::npos && takes_value(word);
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (takes_value(std::string("-") + word[i])) return i + 1 == word.size();
  }
  return false;
}

bool takes_component_words(const CLI::App& sub) {
  return sub.get_name() == "run" || sub.get_name() == "dryrun";
}

bool is_component(const std::string& source) {
  const components::ComponentReference reference = components::parse_reference(source);
  return !source.empty() && source != "-" && (reference.file.empty() || !reference.name.empty());
}

SplitArguments split_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  SplitArguments out{arguments, {}};
  const CLI::App* sub = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.size() > 1 && word.front() == '-' && word != "--") {
      if (value_follows(app, sub, word)) ++i;
    } else if (sub == nullptr) {
      if (word != "run" && word != "dryrun") return out;
      sub = app.get_subcommand(word);
    } else {
      const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
      if (word == "--" && (i + 1 == arguments.size() || arguments[i + 1].substr(0, 1) == "-")) {
        // No component is named, so the words belong to the configured component.
        out.own.assign(arguments.begin(), at);
        out.call.args.assign(at + 1, arguments.end());
        return out;
      }
      components::ComponentCall call = components::split_call({at, arguments.end()}, {});
      if (!is_component(call.component)) return out;
      out.own.assign(arguments.begin(), at);
      out.call = std::move(call);
      out.after_separator = word == "--";
      return out;
    }
  }
  return out;
}

std::vector<std::string> with_empty_values(const CLI::App& app,
                                           const std::vector<std::string>& words) {
  std::vector<std::string> out;
  const CLI::App* sub = nullptr;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    out.push_back(word);
    if (word == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      return out;
    }
    if (word.size() > 1 && word.front() == '-') {
      const std::string name = word.substr(0, word.find('='));
      if (value_follows(app, sub, word)) {
        if (i + 1 < words.size()) out.push_back(words[++i]);
      } else if (name.starts_with("--") && name.size() + 1 == word.size() &&
                 value_follows(app, sub, name)) {
        out.back() = name;
        out.emplace_back();
      }
    } else if (const CLI::App* next = subcommand_named(sub != nullptr ? *sub : app, word)) {
      sub = next;
    }
  }
  return out;
}

}  // namespace slipway::cli
