#include "core/cli/completion/place.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <utility>

#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/component_words.hpp"
#include "core/cli/parser/torchx_options.hpp"

namespace slipway::cli {

namespace {

bool takes_value(const CLI::Option* option) {
  return option != nullptr && option->get_items_expected_max() > 0;
}

/// Walks over the words before the cursor.
class Walk {
 public:
  explicit Walk(const CLI::App& app) { place_.root = place_.command = &app; }

  /// Walks over the next word.
  void pass(const std::string& word) {
    if (pending_ != nullptr) {
      give(std::exchange(pending_, nullptr), word);
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && word.size() > 1 && word.front() == '-') {
      pass_option(word);
    } else if (const CLI::App* sub = subcommand_named(*place_.command, word)) {
      place_.command = sub;  // also after `--`: the parser refuses such a line in any case
    } else {
      give(next_argument(), word);
      ++arguments_;
    }
  }

  /// Returns the place of the word at the cursor.
  CompletionPlace end(const std::string& current) {
    if (pending_ != nullptr) {
      place_.option = pending_;
    } else if (!only_arguments_ && !current.empty() && current.front() == '-') {
      const auto [option, start] = option_with_value(current);
      if (takes_value(option)) {
        place_.option = option;
        place_.option_part = current.substr(0, start);
      } else {
        place_.names_option = true;
      }
    } else {
      place_.option = next_argument();
    }
    return std::move(place_);
  }

 private:
  /// Returns the option of the command, or the global option, with this name: `-s`, `--scheduler`.
  const CLI::Option* find(const std::string& name) const {
    const CLI::Option* option = place_.command->get_option_no_throw(name);
    return option != nullptr ? option : place_.root->get_option_no_throw(name);
  }

  /// Returns the option whose value is in the same word, as in `--name=value` or `-xyVALUE`, and
  /// the position of the value. Returns nullptr for other words.
  std::pair<const CLI::Option*, std::size_t> option_with_value(const std::string& word) const {
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) return {nullptr, 0};
      return {find(word.substr(0, equals)), equals + 1};
    }
    for (std::size_t i = 1; i + 1 < word.size(); ++i) {
      const CLI::Option* option = find(std::string("-") + word[i]);
      if (takes_value(option)) return {option, i + 1};
    }
    return {nullptr, 0};
  }

  /// Stores an option or positional argument of an earlier word, with its value. Does nothing for
  /// an unknown option, which is nullptr.
  void give(const CLI::Option* option, std::string value) {
    if (option != nullptr) place_.given.emplace_back(option, std::move(value));
  }

  /// Walks over a word such as `--name=value`, `--name`, or short options `-xyVALUE`.
  void pass_option(const std::string& word) {
    if (word[1] == '-') {
      const std::size_t equals = word.find('=');
      const CLI::Option* option = find(word.substr(0, equals));
      if (equals != std::string::npos) {
        give(option, word.substr(equals + 1));
      } else if (takes_value(option)) {
        pending_ = option;
      } else {
        give(option, {});
      }
      return;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      const CLI::Option* option = find(std::string("-") + word[i]);
      if (!takes_value(option)) {
        give(option, {});
      } else if (i + 1 == word.size()) {
        pending_ = option;
      } else {
        return give(option, word.substr(i + 1));
      }
    }
  }

  /// Returns the positional argument that the next word gives, or nullptr if there are no more.
  const CLI::Option* next_argument() const {
    std::size_t position = 0;
    for (const CLI::Option* option : place_.command->get_options()) {
      if (!option->get_positional()) continue;
      if (position++ == arguments_ || option->get_items_expected_max() > 1) return option;
    }
    return nullptr;
  }

  CompletionPlace place_;
  const CLI::Option* pending_ = nullptr;  // the option whose value is the next word
  bool only_arguments_ = false;           // `--` came, so no further word is an option
  std::size_t arguments_ = 0;             // number of words so far for positional arguments
};

}  // namespace

std::string option_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_single_name() : option.get_lnames().front();
}

std::string CompletionPlace::value_of(const std::string& name) const {
  for (auto each = given.rbegin(); each != given.rend(); ++each) {
    if (option_name(*each->first) == name) return each->second;
  }
  return {};
}

CompletionPlace completion_place(const CLI::App& app, const std::vector<std::string>& words,
                                 const std::string& current) {
  SplitArguments split = split_arguments(app, with_known_options(app, words));
  Walk walk(app);
  for (const std::string& word : split.own) walk.pass(word);
  CompletionPlace out = walk.end(current);
  const bool ends_with_separator = split.own.size() < words.size() && split.call.component.empty();
  out.is_for_configured_component =
      ends_with_separator && (!split.call.args.empty() || current.substr(0, 1) == "-");
  out.call = std::move(split.call);
  return out;
}

}  // namespace slipway::cli
