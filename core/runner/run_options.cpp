#include "core/runner/run_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/spec/key_values.hpp"
#include "core/spec/other_tools.hpp"
#include "core/spec/path_option.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway {

namespace {

Value parse_value(const RunOpt& option, std::string_view text) {
  if (const auto value = run_option_value(option.type, text)) return *value;
  const std::string form = option.type == ValueType::kDict
                               ? std::string("the form key:value")
                               : fmt::format("type {}", to_string(option.type));
  std::string hint = spec::hint_for_number(option.name, text);
  if (hint.empty() && !option.help.empty()) hint = option.name + ": " + option.help;
  throw Error(Code::kInvalid,
              fmt::format("run option {}: {} is not of {}", option.name, spec::quoted(text), form),
              std::move(hint));
}

/// Returns whether a key, a value or an item starts with a quotation mark that is not closed. Other
/// such marks are plain characters: `name=it's`.
bool has_open_quote(std::string_view text) {
  char before = ',';  // the last character that is not a blank
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      const std::size_t end = text.find(c, i + 1);
      if (end != std::string_view::npos) {
        i = end;
      } else if (before == ',' || before == ';' || before == '=') {
        return true;
      }
    }
    if (trimmed(text.substr(i, 1)).empty()) continue;
    before = text[i];
  }
  return false;
}

StrDict pairs_of(std::string_view text) {
  if (has_open_quote(text)) {
    throw Error(Code::kUsage,
                "run options " + spec::quoted(text) + ": a quotation mark is not closed",
                "quotes protect a value with commas: log_dir='/tmp/a,b'");
  }
  try {
    return spec::to_dict(text);
  } catch (const Error& error) {
    throw Error(error.code(), "run options " + error.message(), error.hint());
  }
}

/// Returns the declared dict NAME of `NAME.KEY`, or nullptr.
const RunOpt* dict_of_entry(const RunOpts& declared, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const RunOpt* option = declared.get(name.substr(0, dot));
  return option != nullptr && option->type == ValueType::kDict ? option : nullptr;
}

/// Sets one entry of the option `dict` in `options`. Its other entries are those in `options` or,
/// without the option there, those in `earlier`.
void set_entry(Dict<Value>& options, const Dict<Value>& earlier, const RunOpt& dict,
               std::string_view key, std::string value) {
  const Value* option = find(options, dict.name);
  if (option == nullptr) option = find(earlier, dict.name);
  const auto* present = option != nullptr ? std::get_if<StrDict>(option) : nullptr;
  StrDict entries = present != nullptr ? *present : StrDict();
  set(entries, key, std::move(value));
  set(options, dict.name, Value(std::move(entries)));
}

/// Returns the first path in a run option that starts with `~`, which nothing would expand, or
/// nullptr.
const std::string* path_with_tilde(const RunOpt& option, const Value& value) {
  if (!spec::is_path_option(option.name)) return nullptr;
  const auto starts = [](const std::string& text) { return text.starts_with('~'); };
  if (const auto* text = std::get_if<std::string>(&value)) return starts(*text) ? text : nullptr;
  const auto* list = std::get_if<StrList>(&value);
  if (list == nullptr) return nullptr;
  const auto found = std::find_if(list->begin(), list->end(), starts);
  return found != list->end() ? &*found : nullptr;
}

}  // namespace

ParsedOptions parse_options(const RunOpts& declared, std::string_view text,
                            const Dict<Value>& earlier) {
  ParsedOptions out;
  if (trimmed(text).ends_with('=')) {
    out.warnings.push_back(
        fmt::format("run options {}: no value follows the last '=', which is ignored",
                    spec::quoted(text)) +
        "; an empty value is written ''");
  }
  std::vector<Error> problems;
  for (const auto& [key, value] : pairs_of(text)) {
    const RunOpt* option = declared.get(key);
    if (const RunOpt* dict = option == nullptr ? dict_of_entry(declared, key) : nullptr) {
      set_entry(out.values, earlier, *dict, std::string_view(key).substr(dict->name.size() + 1),
                value);
      continue;
    }
    if (option == nullptr) {
      out.unknown.push_back(key);
      continue;
    }
    const std::string word = lower_case(value);
    if (option->type == ValueType::kBool && word != "true" && word != "false") {
      out.warnings.push_back(fmt::format("run option {}: {} means false; write true or false", key,
                                         spec::quoted(value)));
    }
    try {
      set(out.values, key, parse_value(*option, value));
    } catch (const Error& problem) {
      problems.push_back(problem);
    }
  }
  if (problems.size() == 1) throw problems.front();
  if (!problems.empty()) {
    std::string lines;
    for (const Error& problem : problems) lines += (lines.empty() ? "" : "\n") + problem.message();
    throw Error(Code::kInvalid, lines, "`slipway runopts` lists the options");
  }
  return out;
}

Cfg resolve_options(const RunOpts& declared, const Dict<Value>& given) {
  std::string problems;
  const auto complain = [&](const std::string& line) {
    problems += (problems.empty() ? "" : "\n") + line;
  };
  Cfg out{given};
  for (const RunOpt& option : declared) {
    const Value* value = out.find(option.name);
    if (value == nullptr || type_of(*value) == ValueType::kNone) {
      if (option.required) {
        complain(fmt::format("run option {} is required: {}", option.name, option.help));
      } else {
        out.set(option.name, option.default_value);
      }
    } else if (!RunOpts::is_type(*value, option.type)) {
      complain(fmt::format("run option {} must be of type {}, but is {} ({})", option.name,
                           to_string(option.type), to_text(*value), to_string(type_of(*value))));
    } else if (const std::string* path = path_with_tilde(option, *value)) {
      complain(
          fmt::format("run option {}: {} starts with '~', which only a shell and configuration "
                      "files expand; write $HOME or the whole path",
                      option.name, spec::quoted(*path)));
    } else if (option.type == ValueType::kInt && type_of(*value) == ValueType::kBool) {
      out.set(option.name, std::int64_t{std::get<bool>(*value) ? 1 : 0});
    }
  }
  if (!problems.empty()) {
    throw Error(Code::kInvalid, problems,
                "give run options with -c NAME=VALUE; `slipway runopts` lists them");
  }
  return out;
}

}  // namespace slipway
