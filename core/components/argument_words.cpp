#include "core/components/argument_words.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::components {
namespace {

constexpr std::string_view kHelpOption = "--help";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Removes an exponent, such as the `e-3` of `1e-3`.
std::string_view without_exponent(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  if (e == std::string_view::npos || e == 0) return number;
  std::string_view exponent = number.substr(e + 1);
  if (!exponent.empty() && (exponent.front() == '-' || exponent.front() == '+'))
    exponent.remove_prefix(1);
  const bool is_exponent =
      !exponent.empty() && std::all_of(exponent.begin(), exponent.end(), is_digit);
  return is_exponent ? number.substr(0, e) : number;
}

// Accepts -1, -1.5, -.5 and -1e-3.
bool is_negative_number(std::string_view word) {
  if (word.size() < 2 || word.front() != '-') return false;
  word = without_exponent(word.substr(1));
  const std::size_t dot = word.find('.');
  const std::string_view whole = word.substr(0, dot);
  const bool has_fraction = dot != std::string_view::npos;
  const std::string_view fraction = has_fraction ? word.substr(dot + 1) : whole;
  return std::all_of(whole.begin(), whole.end(), is_digit) && !fraction.empty() &&
         std::all_of(fraction.begin(), fraction.end(), is_digit);
}

enum class Kind { kPlain, kOption, kHelp, kUnknown, kAmbiguous };

struct Word {
  Kind kind = Kind::kPlain;
  const ComponentParam* param = nullptr;
  std::optional<std::string_view> value;  // the text after '=', or right after a short name
  std::vector<std::string> candidates;    // the options that an ambiguous word could mean
};

// One spelling of an option; `param` is null for help.
struct Spelling {
  std::string text;
  const ComponentParam* param;
};

class Classifier {
 public:
  explicit Classifier(const ComponentInfo& info) {
    for (const ComponentParam& param : info.params) {
      if (param.variadic) continue;
      add(option_name(param), &param);
      if (const char letter = short_letter(param); letter != 0) {
        add(std::string("-") + letter, &param);
        has_negative_options_ = has_negative_options_ || is_digit(letter);
      }
    }
    add(std::string(kHelpOption), nullptr);
    add("-h", nullptr);
  }

  Word classify(std::string_view word) const {
    if (word.size() < 2 || word.front() != '-') return {};
    const std::string_view name = word.substr(0, word.find('='));
    const std::optional<std::string_view> value =
        name.size() < word.size() ? std::optional(word.substr(name.size() + 1)) : std::nullopt;
    if (const Spelling* exact = find(word)) return option_word(*exact, std::nullopt);
    if (value) {
      if (const Spelling* exact = find(name)) return option_word(*exact, value);
    }
    if (word[1] != '-') {
      if (const Spelling* letter = find(word.substr(0, 2)))
        return option_word(*letter, word.substr(2));
    } else if (Word by_prefix = abbreviated(name, value); by_prefix.kind != Kind::kUnknown) {
      return by_prefix;
    }
    if (is_negative_number(word) && !has_negative_options_) return {};
    // As in argparse, a word with a blank anywhere is a plain word, although it starts with a dash.
    if (word.find(' ') != std::string_view::npos) return {};
    Word unknown;
    unknown.kind = Kind::kUnknown;
    return unknown;
  }

  std::vector<std::string> long_names() const {
    std::vector<std::string> out;
    for (const Spelling& one : spellings_) {
      if (one.text.starts_with("--")) out.push_back(one.text);
    }
    return out;
  }

 private:
  // If two parameters share a spelling, it belongs to the first.
  void add(std::string text, const ComponentParam* param) {
    if (find(text) == nullptr) spellings_.push_back({std::move(text), param});
  }

  const Spelling* find(std::string_view text) const {
    const auto at = std::find_if(spellings_.begin(), spellings_.end(),
                                 [&](const Spelling& one) { return one.text == text; });
    return at != spellings_.end() ? &*at : nullptr;
  }

  static Word option_word(const Spelling& spelling, std::optional<std::string_view> value) {
    Word word;
    word.kind = spelling.param != nullptr ? Kind::kOption : Kind::kHelp;
    word.param = spelling.param;
    word.value = value;
    return word;
  }

  Word abbreviated(std::string_view name, std::optional<std::string_view> value) const {
    Word word;
    word.kind = Kind::kUnknown;
    for (const Spelling& one : spellings_) {
      if (!one.text.starts_with(name)) continue;
      if (word.candidates.empty()) word = option_word(one, value);
      word.candidates.push_back(one.text);
    }
    if (word.candidates.size() > 1) word.kind = Kind::kAmbiguous;
    return word;
  }

  std::vector<Spelling> spellings_;
  bool has_negative_options_ = false;  // whether a short name is a digit: -1 is that option
};

class WordSeparator {
 public:
  WordSeparator(const ComponentInfo& info, const StrList& words)
      : classifier_(info),
        variadic_(std::any_of(info.params.begin(), info.params.end(),
                              [](const ComponentParam& param) { return param.variadic; })),
        words_(words) {}

  ArgumentWords run() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      if (word == "--") {
        take_rest();
        break;
      }
      const Word meaning = classifier_.classify(word);
      if (meaning.kind == Kind::kPlain && variadic_) {
        take_rest();
        break;
      }
      ++at_;
      take(word, meaning);
    }
    return std::move(out_);
  }

 private:
  void take_rest() {
    out_.rest.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    if (!out_.rest.empty() && out_.rest.front() == "--") out_.rest.erase(out_.rest.begin());
    if (variadic_) return;
    for (const std::string& word : out_.rest) unexpected(word);
    out_.rest.clear();
  }

  void take(const std::string& word, const Word& meaning) {
    const std::string name = word.substr(0, word.find('='));
    switch (meaning.kind) {
      case Kind::kOption: take_option(meaning); break;
      case Kind::kHelp: out_.help = true; break;
      case Kind::kPlain: unexpected(word); break;
      case Kind::kAmbiguous:
        out_.problems.push_back(spec::quoted(name) + " could be any of " +
                                joined(meaning.candidates));
        skip_value(word);
        break;
      case Kind::kUnknown: {
        const std::string near = spec::did_you_mean(name, classifier_.long_names());
        out_.problems.push_back("unknown option " + spec::quoted(name) +
                                (near.empty() ? "" : ", " + near));
        skip_value(word);
        break;
      }
    }
  }

  void take_option(const Word& meaning) {
    GivenOption option{meaning.param, std::nullopt};
    if (meaning.value) {
      option.value = *meaning.value;
    } else if (value_follows()) {
      option.value = words_[at_++];
    } else {
      std::string problem = option_name(*meaning.param) + ": a value is missing";
      if (at_ < words_.size() && words_[at_] != "--")
        problem +=
            "; write " + option_name(*meaning.param) + "=" + words_[at_] + " if that is the value";
      out_.problems.push_back(std::move(problem));
    }
    out_.options.push_back(std::move(option));
  }

  bool value_follows() const {
    return at_ < words_.size() && words_[at_] != "--" &&
           classifier_.classify(words_[at_]).kind == Kind::kPlain;
  }

  // A plain word after a misspelt option is most likely its value, so it is not a further problem.
  // With a variadic parameter no plain word is a problem.
  void skip_value(const std::string& word) {
    if (!variadic_ && word.find('=') == std::string::npos && value_follows()) ++at_;
  }

  void unexpected(const std::string& word) {
    out_.problems.push_back("unexpected argument " + spec::quoted(word) +
                            ", parameters are given by name: --NAME VALUE");
  }

  Classifier classifier_;
  bool variadic_;
  const StrList& words_;
  std::size_t at_ = 0;  // index in words_ of the next word
  ArgumentWords out_;
};

}  // namespace

ArgumentWords separate_words(const ComponentInfo& info, const StrList& words) {
  return WordSeparator(info, words).run();
}

StrList repeated_params(const ArgumentWords& words) {
  StrList out;
  std::vector<const ComponentParam*> seen;
  for (const GivenOption& option : words.options) {
    if (std::find(seen.begin(), seen.end(), option.param) == seen.end()) {
      seen.push_back(option.param);
    } else if (std::find(out.begin(), out.end(), option.param->name) == out.end()) {
      out.push_back(option.param->name);
    }
  }
  return out;
}

std::string option_name(const ComponentParam& param) {
  return param.variadic ? param.name : "--" + param.name;
}

char short_letter(const ComponentParam& param) {
  if (param.variadic) return 0;
  if (param.short_name.size() == 1) return param.short_name.front();
  return param.name.size() == 1 ? param.name.front() : '\0';
}

}  // namespace slipway::components
