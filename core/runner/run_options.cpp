#include "core/runner/run_options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

constexpr std::string_view kSeparators = ",;";
constexpr std::string_view kBlanks = " \t\n\r\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(kSeparators);
    if (end != 0) out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

template <class Number>
Number parse_number(const RunOpt& option, std::string_view text) {
  std::string_view digits = trimmed(text);
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw Error(Code::kInvalid, fmt::format("run option {}: {} is not of type {}", option.name,
                                            spec::quoted(text), to_string(option.type)));
  }
  return number;
}

Value parse_value(const RunOpt& option, std::string_view text) {
  switch (option.type) {
    case ValueType::kInt: return parse_number<std::int64_t>(option, text);
    case ValueType::kFloat: return parse_number<double>(option, text);
    case ValueType::kBool: return lower_case(text) == "true";
    case ValueType::kList: {
      StrList list;
      for (std::string_view item : items_of(text)) list.emplace_back(item);
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

const RunOpt* declared_option(const RunOpts& declared, std::string_view name) {
  for (const RunOpt& option : declared) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::vector<std::string> names_of(const RunOpts& declared) {
  std::vector<std::string> out;
  for (const RunOpt& option : declared) out.push_back(option.name);
  return out;
}

bool fits(ValueType type, const Value& value) {
  const ValueType given = type_of(value);
  if (given == ValueType::kNone || given == type) return true;
  return type == ValueType::kInt && given == ValueType::kBool;
}

}  // namespace

Dict<Value> parse_options(const RunOpts& declared, std::string_view text,
                          std::vector<std::string>& warnings) {
  Dict<Value> out;
  const auto store = [&](std::string_view key, std::string_view value) {
    key = trimmed(key);
    if (key.empty()) {
      throw Error(Code::kInvalid, fmt::format("run options {}: there is no name before the '='",
                                              spec::quoted(text)));
    }
    if (const RunOpt* option = declared_option(declared, key)) {
      const std::string word = lower_case(trimmed(value));
      if (option->type == ValueType::kBool && word != "true" && word != "false") {
        warnings.push_back(fmt::format("run option {}: {} counts as false; say true or false", key,
                                       spec::quoted(value)));
      }
      set(out, key, parse_value(*option, value));
      return;
    }
    const std::string hint = spec::did_you_mean(key, names_of(declared));
    warnings.push_back(fmt::format(
        "run option {} is not known to this scheduler and is ignored: {}", spec::quoted(key),
        hint.empty() ? "`slipway runopts` lists those that there are" : hint));
  };
  if (text.empty()) return out;
  std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Error(Code::kInvalid,
                fmt::format("run options {}: expected KEY=VALUE", spec::quoted(text)),
                "separate several pairs with a comma: -c log_dir=/tmp/logs,grace_s=5");
  }
  std::string_view key = text.substr(0, equals);
  // a value ends at the last separator before the next '=': what follows it is the next key
  while (true) {
    std::string_view rest = text.substr(equals + 1);
    const std::size_t next_equals = rest.find('=');
    if (next_equals == std::string_view::npos) {
      while (!rest.empty() && kSeparators.find(rest.back()) != std::string_view::npos)
        rest.remove_suffix(1);
      store(key, rest);
      return out;
    }
    const std::size_t cut = rest.substr(0, next_equals).find_last_of(kSeparators);
    if (cut == std::string_view::npos) {
      throw Error(Code::kInvalid, fmt::format("run options {}: there is no ',' between two pairs",
                                              spec::quoted(text)));
    }
    store(key, rest.substr(0, cut));
    key = rest.substr(cut + 1, next_equals - cut - 1);
    equals += 1 + next_equals;
  }
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
      } else if (value == nullptr) {
        out.set(option.name, option.default_value);
      }
    } else if (!fits(option.type, *value)) {
      complain(fmt::format("run option {} must be of type {}, but is {} ({})", option.name,
                           to_string(option.type), to_text(*value), to_string(type_of(*value))));
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
