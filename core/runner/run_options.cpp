#include "core/runner/run_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "core/spec/key_values.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/number_text.hpp"
#include "core/spec/path_option.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

constexpr std::string_view kSeparators = ",;";

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// Returns the pieces between separators, including empty ones.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find_first_of(kSeparators);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
Number number_or_throw(const RunOpt& option, std::string_view text, std::optional<Number> number) {
  if (number) return *number;
  throw Error(Code::kInvalid, fmt::format("run option {}: {} is not of type {}", option.name,
                                          spec::quoted(text), to_string(option.type)));
}

Value parse_value(const RunOpt& option, std::string_view text) {
  switch (option.type) {
    case ValueType::kInt: return number_or_throw(option, text, spec::integer_from(text));
    case ValueType::kFloat: return number_or_throw(option, text, spec::real_from(text));
    case ValueType::kBool: return lower_case(text) == "true";
    case ValueType::kList: {
      StrList list;
      for (std::string_view item : items_of(text)) {
        if (!item.empty()) list.emplace_back(item);
      }
      return list;
    }
    case ValueType::kDict: {
      StrDict dict;
      for (std::string_view item : items_of(text)) {
        const std::size_t colon = item.find(':');
        if (colon == std::string_view::npos) {
          throw Error(Code::kInvalid, fmt::format("run option {}: {} is not of the form key:value",
                                                  option.name, spec::quoted(item)));
        }
        set(dict, item.substr(0, colon), std::string(item.substr(colon + 1)));
      }
      return dict;
    }
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return std::string(text);
}

std::vector<std::string> names_of(const RunOpts& declared) {
  std::vector<std::string> out;
  for (const RunOpt& option : declared) out.push_back(option.name);
  return out;
}

StrDict pairs_of(std::string_view text) {
  try {
    return spec::to_dict(text);
  } catch (const Error& error) {
    throw Error(error.code(), "run options " + error.message(), error.hint());
  }
}

/// Returns the warning for an option that the scheduler does not declare, with a similar name.
std::string unknown_option(const RunOpts& declared, std::string_view name) {
  const std::string hint = spec::did_you_mean(name, names_of(declared));
  return fmt::format("run option {} is not known to this scheduler and is ignored: {}",
                     spec::quoted(name),
                     hint.empty() ? "`slipway runopts` lists the known ones" : hint);
}

/// Returns the declared dict NAME of `NAME.KEY`, or nullptr.
const RunOpt* dict_of_entry(const RunOpts& declared, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const RunOpt* option = declared.get(name.substr(0, dot));
  return option != nullptr && option->type == ValueType::kDict ? option : nullptr;
}

void set_entry(Dict<Value>& options, const RunOpt& dict, std::string_view key, std::string value) {
  const Value* given = find(options, dict.name);
  StrDict entries = given != nullptr ? std::get<StrDict>(*given) : StrDict();
  set(entries, key, std::move(value));
  set(options, dict.name, Value(std::move(entries)));
}

/// Returns whether a run option is a path that starts with `~`. Nothing expands `~` at this point.
bool has_tilde(const RunOpt& option, const Value& value) {
  if (!spec::is_path_option(option.name)) return false;
  const auto starts = [](const std::string& text) { return !text.empty() && text.front() == '~'; };
  if (const auto* text = std::get_if<std::string>(&value)) return starts(*text);
  const auto* list = std::get_if<StrList>(&value);
  return list != nullptr && std::any_of(list->begin(), list->end(), starts);
}

}  // namespace

Dict<Value> parse_options(const RunOpts& declared, std::string_view text,
                          std::vector<std::string>& warnings) {
  Dict<Value> out;
  if (!text.empty() && text.back() == '=') {
    warnings.push_back(
        fmt::format("run options {}: no value follows the last '=', which is ignored",
                    spec::quoted(text)) +
        "; an empty value is written ''");
  }
  for (const auto& [key, value] : pairs_of(text)) {
    const RunOpt* option = declared.get(key);
    if (const RunOpt* dict = option == nullptr ? dict_of_entry(declared, key) : nullptr) {
      set_entry(out, *dict, std::string_view(key).substr(dict->name.size() + 1), value);
      continue;
    }
    if (option == nullptr) {
      warnings.push_back(unknown_option(declared, key));
      continue;
    }
    const std::string word = lower_case(value);
    if (option->type == ValueType::kBool && word != "true" && word != "false") {
      warnings.push_back(fmt::format("run option {}: {} means false; write true or false", key,
                                     spec::quoted(value)));
    }
    set(out, key, parse_value(*option, value));
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
    } else if (has_tilde(option, *value)) {
      complain(
          fmt::format("run option {}: {} starts with '~', which only a shell and configuration "
                      "files expand; write $HOME or the whole path",
                      option.name, spec::quoted(to_text(*value))));
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

std::string to_text(const Value& value) {
  const auto joined = [](const StrList& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ",") + item;
    return out;
  };
  switch (type_of(value)) {
    case ValueType::kStr: return std::get<std::string>(value);
    case ValueType::kInt: return std::to_string(std::get<std::int64_t>(value));
    case ValueType::kFloat: return fmt::format("{}", std::get<double>(value));
    case ValueType::kBool: return std::get<bool>(value) ? "true" : "false";
    case ValueType::kList: return joined(std::get<StrList>(value));
    case ValueType::kDict: {
      StrList items;
      for (const auto& [key, item] : std::get<StrDict>(value)) items.push_back(key + ":" + item);
      return joined(items);
    }
    case ValueType::kNone: break;
  }
  return {};
}

}  // namespace slipway
