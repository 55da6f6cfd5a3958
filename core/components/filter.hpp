// Filters: what `| name("argument")` makes of a value in a component's template.
#pragma once

#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

struct Filter {
  std::string name;
  StrList args;
};

/// Throws Error kInvalid when there is no such filter (with the nearest name), when it takes another
/// number of arguments, or does not take a value of type `input`. Every filter makes a str.
void check_filter(const Filter& filter, ValueType input);

/// The value through a filter that check_filter() let pass. kNone counts as an empty text, list or
/// dict of `type`; for `json` it is null.
///
/// - `lower`, `upper`: ASCII letters of a str;
/// - `replace("A","B")`: every A of a str;
/// - `basename`: what follows the last slash; `stem`: that without the last extension;
/// - `join("SEP")`: the items of a list, or `key=value` of a dict;
/// - `quote`: one word for a POSIX shell, a list as words with blanks between them;
/// - `json`: any value as JSON.
std::string apply_filter(const Filter& filter, ValueType type, const Value& value);

/// A str, int, float or bool as it stands in a text; kNone is empty. A list or dict has none: see
/// `join`.
std::string text_of(const Value& value);

}  // namespace slipway::components
