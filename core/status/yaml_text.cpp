#include "core/status/yaml_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sdk/support/ascii_case.hpp"
#include "slipway/visible_text.hpp"

namespace slipway {

namespace {

namespace json = boost::json;

bool is_printable_ascii(char c) { return c >= 0x20 && c <= 0x7e; }

// Returns whether YAML 1.1 reads the text, without quotes, as a boolean, a null, a number, a date,
// the merge key `<<` or the default value `=`.
bool reads_as_other_type(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWords = {"yes", "no",   "true", "false", "on",
                                                       "off", "null", "~",    "<<",    "="};
  const std::string lower = lower_case(text);
  if (std::find(kWords.begin(), kWords.end(), lower) != kWords.end()) return true;
  // Digits, signs, points, colons, underscores, exponents, 0x, 0o, .inf and .nan make numbers, and
  // blanks, T and Z occur in times. Also returns true for some texts that are none of these, which
  // then get needless quotes.
  const bool starts_like_number =
      (lower[0] >= '0' && lower[0] <= '9') ||
      (lower.size() > 1 && (lower[0] == '-' || lower[0] == '+' || lower[0] == '.'));
  return starts_like_number &&
         lower.find_first_not_of("0123456789abcdefxinto_+-.: z") == std::string::npos;
}

// Returns whether the text, without quotes, has an indicator: one or more characters with a meaning
// in YAML.
bool has_indicator(std::string_view text) {
  constexpr std::string_view kIndicatorsAtStart = "#,[]{}&*!|>'\"%@`";
  if (kIndicatorsAtStart.find(text.front()) != std::string_view::npos) return true;
  if (text.substr(0, 3) == "---" || text.substr(0, 3) == "...") return true;
  const auto blank_at = [&](std::size_t i) { return i >= text.size() || text[i] == ' '; };
  if ((text.front() == '-' || text.front() == '?') && blank_at(1)) return true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':' && blank_at(i + 1)) return true;
    if (text[i] == '#' && i > 0 && text[i - 1] == ' ') return true;
  }
  return false;
}

// Returns the code point at `at` and moves `at` after it. Returns a byte that is not UTF-8
// unchanged.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const std::size_t length = utf8_length_at(text, at);
  const char32_t out =
      length == 0 ? static_cast<unsigned char>(text[at]) : detail::utf8_code_at(text, at, length);
  at += length == 0 ? 1 : length;
  return out;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    switch (c) {
      case U'"': out += "\\\""; continue;
      case U'\\': out += "\\\\"; continue;
      case U'\n': out += "\\n"; continue;
      case U'\t': out += "\\t"; continue;
      case U'\r': out += "\\r"; continue;
      default: break;
    }
    const auto number = static_cast<std::uint32_t>(c);
    if (number >= 0x20 && number <= 0x7e) {
      out += static_cast<char>(number);
    } else if (number <= 0xff) {
      out += fmt::format("\\x{:02X}", number);
    } else if (number <= 0xffff) {
      out += fmt::format("\\u{:04X}", number);
    } else {
      out += fmt::format("\\U{:08X}", number);
    }
  }
  return out + '"';
}

// Returns the text in single quotes, where a line break is written as an empty line.
std::string single_quoted(std::string_view text, std::size_t indent) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      out += "''";
    } else if (text[i] == '\n') {
      const bool is_first_break = i == 0 || text[i - 1] != '\n';
      const bool is_last_break = i + 1 == text.size() || text[i + 1] != '\n';
      out += is_first_break ? "\n\n" : "\n";
      if (is_last_break) out.append(indent, ' ');
    } else {
      out += text[i];
    }
  }
  return out + '\'';
}

// Returns one text, quoted if YAML would read it differently without quotes. `indent` applies to
// the lines after the first.
std::string yaml_scalar(std::string_view text, std::size_t indent) {
  if (text.empty()) return "''";
  const bool needs_escapes = std::any_of(
      text.begin(), text.end(), [](char c) { return c != '\n' && !is_printable_ascii(c); });
  const bool has_blank_at_break =
      text.find(" \n") != std::string_view::npos || text.find("\n ") != std::string_view::npos;
  if (needs_escapes || has_blank_at_break) return double_quoted(text);
  const bool is_plain = text.front() != ' ' && text.back() != ' ' &&
                        text.find('\n') == std::string_view::npos && !has_indicator(text) &&
                        !reads_as_other_type(text);
  return is_plain ? std::string(text) : single_quoted(text, indent);
}

std::string yaml_value(const json::value& value, std::size_t indent);

std::string yaml_list(const json::array& list, std::size_t indent) {
  std::string out;
  for (const json::value& item : list) {
    std::string text = item.is_object() && !item.get_object().empty()
                           ? yaml_text(item.get_object(), indent + 2).substr(indent + 2)
                           : yaml_value(item, indent + 2) + "\n";
    out += std::string(indent, ' ') + "- " + text;
  }
  return out;
}

// Returns a value in the form that follows its key or dash.
std::string yaml_value(const json::value& value, std::size_t indent) {
  if (value.is_string()) return yaml_scalar(std::string_view(value.get_string()), indent);
  return json::serialize(value);
}

}  // namespace

std::string yaml_text(const json::object& object, std::size_t indent) {
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (const auto& entry : object) keys.emplace_back(entry.key().data(), entry.key().size());
  std::sort(keys.begin(), keys.end());
  std::string out;
  for (const std::string_view key : keys) {
    const json::value& value = object.at(json::string_view(key.data(), key.size()));
    out += std::string(indent, ' ') + yaml_scalar(key, indent + 2) + ':';
    if (value.is_object() && !value.get_object().empty()) {
      out += '\n' + yaml_text(value.get_object(), indent + 2);
    } else if (value.is_array() && !value.get_array().empty()) {
      out += '\n' + yaml_list(value.get_array(), indent);
    } else {
      out += ' ' + yaml_value(value, indent + 2) + '\n';
    }
  }
  return out;
}

}  // namespace slipway
