#include "core/components/filter.hpp"

#include <vector>

#include "core/components/argument_value.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

enum class Takes { kText, kAllButDict, kListOrDict, kAny };

struct KnownFilter {
  std::string_view name;
  std::size_t args;  // number of arguments
  Takes takes;
};

constexpr KnownFilter kFilters[] = {
    {"basename", 0, Takes::kText}, {"join", 1, Takes::kListOrDict},  {"json", 0, Takes::kAny},
    {"lower", 0, Takes::kText},    {"quote", 0, Takes::kAllButDict}, {"replace", 2, Takes::kText},
    {"stem", 0, Takes::kText},     {"upper", 0, Takes::kText},
};

const KnownFilter* find_filter(std::string_view name) {
  for (const KnownFilter& known : kFilters) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

bool fits(Takes takes, ValueType type) {
  switch (takes) {
    case Takes::kText: return type == ValueType::kStr;
    case Takes::kAllButDict: return type != ValueType::kDict;
    case Takes::kListOrDict: return holds_many(type);
    case Takes::kAny: break;
  }
  return true;
}

std::string_view accepted_types(Takes takes) {
  switch (takes) {
    case Takes::kText: return "a str";
    case Takes::kAllButDict: return "anything but a dict";
    case Takes::kListOrDict: return "a list or a dict";
    case Takes::kAny: break;
  }
  return "anything";
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t next; (next = text.find(from, at)) != std::string::npos;) {
    out.append(text, at, next - at).append(to);
    at = next + from.size();
  }
  return out.append(text, at);
}

std::string basename(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string stem(const std::string& path) {
  const std::string name = basename(path);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

StrList items_of(const Value& value) {
  if (const auto* list = std::get_if<StrList>(&value)) return *list;
  StrList out;
  if (const auto* dict = std::get_if<StrDict>(&value)) {
    for (const auto& [key, item] : *dict) out.push_back(key + "=" + item);
  }
  return out;
}

std::string quoted_words(ValueType type, const Value& value) {
  if (type != ValueType::kList) return shell_quoted(to_text(value));
  return shell_joined(items_of(value));
}

}  // namespace

void check_filter(const Filter& filter, ValueType input) {
  const KnownFilter* known = find_filter(filter.name);
  if (known == nullptr) {
    std::vector<std::string_view> names;
    for (const KnownFilter& one : kFilters) names.push_back(one.name);
    const std::string near = spec::did_you_mean(filter.name, names);
    throw Error(Code::kInvalid, "there is no filter " + spec::quoted(filter.name),
                near.empty() ? "the filters are " + joined(names) : near);
  }
  if (filter.args.size() != known->args) {
    throw Error(Code::kInvalid, "the filter " + filter.name + " takes " +
                                    std::to_string(known->args) +
                                    (known->args == 1 ? " argument" : " arguments") + ", found " +
                                    std::to_string(filter.args.size()));
  }
  if (!fits(known->takes, input)) {
    throw Error(Code::kInvalid, "the filter " + filter.name + " takes " +
                                    std::string(accepted_types(known->takes)) + ", found " +
                                    std::string(described(input)));
  }
  if (filter.name == "replace" && filter.args.front().empty())
    throw Error(Code::kInvalid, "the filter replace cannot search for an empty text");
}

std::string apply_filter(const Filter& filter, ValueType type, const Value& value) {
  if (filter.name == "json") return json_text(value);
  if (filter.name == "join") return joined(items_of(value), filter.args.front());
  if (filter.name == "quote") return quoted_words(type, value);
  const std::string text = to_text(value);
  if (filter.name == "lower") return lower_case(text);
  if (filter.name == "upper") return upper_case(text);
  if (filter.name == "basename") return basename(text);
  if (filter.name == "stem") return stem(text);
  return replaced(text, filter.args[0], filter.args[1]);
}

}  // namespace slipway::components
