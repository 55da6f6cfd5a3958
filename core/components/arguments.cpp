#include "core/components/arguments.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/components/argument_value.hpp"
#include "core/components/argument_words.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/other_tools.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";
constexpr std::string_view kQuotes = "\"'";
constexpr std::string_view kEscapedInQuotes = "\"\\$`\n";  // after a backslash, as in a shell

// Returns the offset of the quote that closes the double quote at `from`, or npos.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[from]) {
      return i;
    }
  }
  return std::string_view::npos;
}

// Splits `text` into words like a shell: at blanks, with '…', "…" and \ to keep parts together.
// Expands nothing. Throws Error(kInvalid) for a quote that is not closed.
StrList words_of_text(std::string_view text) {
  StrList out;
  std::optional<std::string> word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (kBlanks.find(c) != std::string_view::npos) {
      if (word) out.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (c == '\\' && i + 1 < text.size()) {
      word->push_back(text[++i]);
    } else if (kQuotes.find(c) == std::string_view::npos) {
      word->push_back(c);
    } else {
      // As in a shell, a backslash between double quotes escapes some characters, and none between
      // single quotes.
      const std::size_t end = c == '"' ? closing_quote(text, i) : text.find(c, i + 1);
      if (end == std::string_view::npos)
        throw Error(Code::kInvalid, "a quote is not closed in " + spec::quoted(text));
      for (++i; i < end; ++i) {
        if (c == '"' && text[i] == '\\' && kEscapedInQuotes.find(text[i + 1]) != text.npos) ++i;
        word->push_back(text[i]);
      }
    }
  }
  if (word) out.push_back(std::move(*word));
  return out;
}

class Parsing {
 public:
  Parsing(const ComponentInfo& info, const ArgumentSources& sources)
      : info_(info), sources_(sources), words_(separate_words(info, sources.words)) {}

  Arguments run() {
    problems_ = std::move(words_.problems);
    out_.repeated = repeated_params(words_);
    check_names();
    for (const ComponentParam& param : info_.params) {
      is_given_ = true;
      Value value = value_of(param);
      if (param.required && !is_given_)
        problems_.push_back(option_name(param) + " is required" +
                            (param.help.empty() ? "" : ": " + param.help));
      if (is_given_) out_.given.push_back(param.name);
      out_.values.set(param.name, std::move(value));
    }
    throw_problems();
    return std::move(out_);
  }

 private:
  void check_names() {
    std::vector<std::string> names;
    for (const ComponentParam& param : info_.params) names.push_back(param.name);
    for (const auto& given : sources_.values) {
      if (std::find(names.begin(), names.end(), given.first) != names.end()) continue;
      const std::string near = spec::did_you_mean(given.first, names);
      problems_.push_back("unknown parameter " + spec::quoted(given.first) +
                          (near.empty() ? "" : ", " + near));
    }
  }

  // Returns the value of the source with the highest precedence. Adds a problem and returns kNone
  // if the value is not valid.
  Value value_of(const ComponentParam& param) {
    try {
      if (const Value* value = find(sources_.values, param.name)) {
        is_given_ = type_of(*value) != ValueType::kNone;
        return typed(param, *value);
      }
      if (param.variadic && !words_.rest.empty()) return words_.rest;
      if (const GivenOption* option = last_option(param)) {
        return option->value ? typed(param, *option->value) : std::monostate{};
      }
      if (const Value* value = find(sources_.defaults, param.name))
        return configured(param, *value);
      is_given_ = false;
      if (param.variadic && type_of(param.default_value) == ValueType::kNone) return StrList{};
      return default_of(param);
    } catch (const Error& error) {
      problems_.push_back(option_name(param) + ": " + error.message() +
                          (error.hint().empty() ? "" : ", " + error.hint()));
      return param.variadic ? Value(StrList{}) : Value();
    }
  }

  // Converts a value from the configuration.
  Value configured(const ComponentParam& param, const Value& value) {
    try {
      return typed(param, value);
    } catch (const Error& error) {
      throw Error(error.code(), error.message(),
                  "the value is from the configuration; `slipway config check` shows where it is");
    }
  }

  // Converts the value. Warns of a text that means false without saying so.
  Value typed(const ComponentParam& param, const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (param.type == ValueType::kBool && text != nullptr && !is_bool_text(*text)) {
      out_.warnings.push_back(info_.name + ": " + option_name(param) + ": " + spec::quoted(*text) +
                              " means false; write true or false");
    }
    return converted(param, value);
  }

  const GivenOption* last_option(const ComponentParam& param) const {
    const auto last = std::find_if(words_.options.rbegin(), words_.options.rend(),
                                   [&](const GivenOption& one) { return one.param == &param; });
    return last != words_.options.rend() ? &*last : nullptr;
  }

  static Value default_of(const ComponentParam& param) {
    const auto* integer = std::get_if<std::int64_t>(&param.default_value);
    if (param.type == ValueType::kFloat && integer != nullptr) return static_cast<double>(*integer);
    return param.default_value;
  }

  void throw_problems() const {
    if (problems_.empty()) return;
    std::string message;
    for (const std::string& problem : problems_)
      message += (message.empty() ? "" : "\n") + info_.name + ": " + problem;
    throw Error(
        Code::kUsage, std::move(message),
        "`slipway run " + shell_quoted(info_.name) +
            " --help` shows its parameters; options of `run`, such as -P and -d, go before " +
            info_.name);
  }

  const ComponentInfo& info_;
  const ArgumentSources& sources_;
  ArgumentWords words_;
  std::vector<std::string> problems_;
  // Whether one of the sources sets the parameter that run() is at.
  bool is_given_ = false;
  Arguments out_;
};

}  // namespace

Value converted(const ComponentParam& param, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (param.variadic) {
    if (text != nullptr) return words_of_text(*text);
    Value list = value_of_type(ValueType::kList, value);
    return type_of(list) == ValueType::kNone ? Value(StrList{}) : list;
  }
  try {
    return value_of_type(param.type, value);
  } catch (const Error& error) {
    const bool is_number = param.type == ValueType::kInt || param.type == ValueType::kFloat;
    if (text == nullptr || !is_number) throw;
    std::string hint = spec::hint_for_number(param.name, *text);
    const bool is_list = text->find(',') != std::string::npos || text->find("..") != text->npos;
    if (hint.empty() && is_list)
      hint = "`run --sweep -P` runs the component for each of several values";
    throw Error(error.code(), error.message(), std::move(hint));
  }
}

Arguments parse_arguments(const ComponentInfo& info, const ArgumentSources& sources) {
  return Parsing(info, sources).run();
}

bool asks_for_help(const ComponentInfo& info, const StrList& words) {
  return separate_words(info, words).help;
}

}  // namespace slipway::components
