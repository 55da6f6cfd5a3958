// Joins the items of a range to one text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway {

/// Returns the texts that `text_of` returns for the items, with `separator` between two of them.
template <class Items, class TextOf>
std::string joined(const Items& items, std::string_view separator, TextOf text_of) {
  std::string out;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) out += separator;
    out += text_of(item);
    is_first = false;
  }
  return out;
}

/// Returns the texts with `separator` between two of them.
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  return joined(
      texts, separator, [](const auto& text) -> const auto& { return text; });
}

/// Returns at most `most` of the names, and the number of the others: "a, b and 3 more".
template <class Names>
std::string joined_first(const Names& names, std::size_t most) {
  std::string out;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (count++ >= most) continue;
    if (count > 1) out += ", ";
    out += name;
  }
  if (count > most) out += " and " + std::to_string(count - most) + " more";
  return out;
}

}  // namespace slipway
