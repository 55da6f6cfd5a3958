// Applies the filters `| name("argument")` to values in a component's template.
#pragma once

#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

/// Returns whether a value of this type has items or entries: a list or a dict.
constexpr bool holds_many(ValueType type) {
  return type == ValueType::kList || type == ValueType::kDict;
}

struct Filter {
  std::string name;
  StrList args;
};

/// Throws Error(kInvalid) if the filter is unknown (with the nearest name), has the wrong number of
/// arguments, does not accept a value of type `input`, or is a `replace` that searches for an empty
/// text. Every filter returns a str.
void check_filter(const Filter& filter, ValueType input);

/// Returns the value after a filter that check_filter() accepted. Treats kNone as an empty value of
/// `type`, but `json` writes it as null.
///
/// - `lower`, `upper`: convert the ASCII letters of a str;
/// - `replace("A","B")`: replaces every A in a str;
/// - `basename`: returns the part after the last slash; `stem`: the same without the last
///   extension;
/// - `join("SEP")`: joins the items of a list, or the `key=value` pairs of a dict;
/// - `quote`: quotes a list as words for a POSIX shell, separated by blanks, and any other value
///   except a dict as one word;
/// - `json`: writes any value as JSON.
std::string apply_filter(const Filter& filter, ValueType type, const Value& value);

}  // namespace slipway::components
