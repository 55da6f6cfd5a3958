// JSON texts without a JSON library: quotes and unquotes strings, and replaces macros in a
// document. JSON values such as metadata cross the plug-in boundary as text, and most plug-ins need
// only these functions for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/macros.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Returns `text` as a JSON string, with quotes. Escapes '"', '\' and control characters (`\n`,
/// `\u001b`), and leaves other bytes unchanged. Never fails.
inline std::string json_quote(std::string_view text) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size() + 2);
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; continue;
      case '\\': out += "\\\\"; continue;
      case '\b': out += "\\b"; continue;
      case '\f': out += "\\f"; continue;
      case '\n': out += "\\n"; continue;
      case '\r': out += "\\r"; continue;
      case '\t': out += "\\t"; continue;
      default: break;
    }
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 0xf]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
  return out;
}

namespace detail {

/// Returns the number in the four hexadecimal digits at `text[from]`, or -1.
inline int hex4_at(std::string_view text, std::size_t from) {
  if (from > text.size() || text.size() - from < 4) return -1;
  int value = 0;
  for (std::size_t i = from; i < from + 4; ++i) {
    const char c = text[i];
    int digit = 0;
    if (c >= '0' && c <= '9') {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

inline void append_utf8(unsigned long code, std::string& out) {
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3f)));
  };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (code >> 6)));
    tail(0);
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (code >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | (code >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Returns the position after the closing quote of the JSON string that starts at `text[from]`, or
/// npos if it is invalid.
inline std::size_t json_string_end(std::string_view text, std::size_t from) {
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') return i + 1;
    if (static_cast<unsigned char>(c) < 0x20) return std::string_view::npos;
    if (c != '\\') continue;
    if (++i >= text.size()) return std::string_view::npos;
    if (text[i] == 'u') {
      if (hex4_at(text, i + 1) < 0) return std::string_view::npos;
      i += 4;
    } else if (std::string_view("\"\\/bfnrt").find(text[i]) == std::string_view::npos) {
      return std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

/// Returns the position after the number, `true`, `false` or `null` at `text[from]`, or npos if
/// there is none.
inline std::size_t json_scalar_end(std::string_view text, std::size_t from) {
  for (const std::string_view word :
       {std::string_view("true"), std::string_view("false"), std::string_view("null")}) {
    if (text.substr(from, word.size()) == word) return from + word.size();
  }
  std::size_t i = from;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const std::size_t whole = i;
  const std::size_t count = digits();
  if (count == 0 || (count > 1 && text[whole] == '0')) return std::string_view::npos;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return std::string_view::npos;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return std::string_view::npos;
  }
  return i;
}

}  // namespace detail

/// Returns the value of `text`, a JSON string with its quotes, or nullopt if it is invalid.
/// Converts `\u` escapes to UTF-8; a lone surrogate makes the string invalid.
inline std::optional<std::string> json_unquote(std::string_view text) {
  if (text.size() < 2 || text[0] != '"' || detail::json_string_end(text, 0) != text.size())
    return std::nullopt;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
      continue;
    }
    switch (text[++i]) {
      case 'b': out.push_back('\b'); break;
      case 'f': out.push_back('\f'); break;
      case 'n': out.push_back('\n'); break;
      case 'r': out.push_back('\r'); break;
      case 't': out.push_back('\t'); break;
      case 'u': {
        auto code = static_cast<unsigned long>(detail::hex4_at(text, i + 1));
        i += 4;
        if (code >= 0xdc00 && code < 0xe000) return std::nullopt;
        if (code >= 0xd800 && code < 0xdc00) {
          const int low = text.substr(i + 1, 2) == "\\u" ? detail::hex4_at(text, i + 3) : -1;
          if (low < 0xdc00 || low >= 0xe000) return std::nullopt;
          code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<unsigned long>(low) - 0xdc00);
          i += 6;
        }
        detail::append_utf8(code, out);
        break;
      }
      default: out.push_back(text[i]); break;
    }
  }
  return out;
}

namespace detail {

/// Copies a JSON text and replaces the macros in its strings, in one pass without recursion. Each
/// private function that returns a bool reads a part of the text, and returns false if the text is
/// not JSON.
class JsonMacroRewriter {
 public:
  JsonMacroRewriter(std::string_view text, const MacroValues& values)
      : text_(text), values_(values) {}

  /// Returns the copy, or nullopt if the text is not JSON.
  std::optional<std::string> run() {
    out_.reserve(text_.size());
    if (!value()) return std::nullopt;
    while (!open_.empty()) {
      if (!after_value()) return std::nullopt;
    }
    skip_space();
    if (at_ != text_.size()) return std::nullopt;
    out_.append(text_.substr(copied_));
    return std::move(out_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  /// Enters nested containers until it has read a scalar or an empty container.
  bool value() {
    for (;;) {
      skip_space();
      const char c = peek();
      if (c == '"') return string(/*is_value=*/true);
      if (c != '{' && c != '[') {
        const std::size_t end = json_scalar_end(text_, at_);
        if (end == std::string_view::npos) return false;
        at_ = end;
        return true;
      }
      open_.push_back(c);
      if (c == '[') ++open_lists_;
      ++at_;
      skip_space();
      if (peek() == (c == '{' ? '}' : ']')) return close();
      if (c == '{' && !key()) return false;
    }
  }

  /// Reads a comma and the next value, or the end of the innermost container.
  bool after_value() {
    skip_space();
    const bool table = open_.back() == '{';
    if (peek() == ',') {
      ++at_;
      return (!table || key()) && value();
    }
    return peek() == (table ? '}' : ']') && close();
  }

  bool close() {
    if (open_.back() == '[') --open_lists_;
    open_.pop_back();
    ++at_;
    return true;
  }

  bool key() {
    skip_space();
    if (peek() != '"' || !string(/*is_value=*/false)) return false;
    skip_space();
    if (peek() != ':') return false;
    ++at_;
    return true;
  }

  bool string(bool is_value) {
    const std::size_t end = json_string_end(text_, at_);
    if (end == std::string_view::npos) return false;
    // TorchX replaces macros in dicts of dicts and in lists directly in these, but not in deeper
    // lists.
    const bool visited =
        !open_.empty() && (open_lists_ == 0 || (open_lists_ == 1 && open_.back() == '['));
    if (is_value && visited) rewrite(end);
    at_ = end;
    return true;
  }

  void rewrite(std::size_t end) {
    const std::optional<std::string> plain = json_unquote(text_.substr(at_, end - at_));
    if (!plain) return;
    const std::string changed = substitute_macros(*plain, values_);
    if (changed == *plain) return;
    out_.append(text_.substr(copied_, at_ - copied_));
    out_.append(json_quote(changed));
    copied_ = end;
  }

  std::string_view text_;
  const MacroValues& values_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;      ///< the part of text_ before it is in out_
  std::string open_;            ///< the open brackets, outermost first
  std::size_t open_lists_ = 0;  ///< the number of '[' in open_
  std::string out_;
};

}  // namespace detail

/// Returns a JSON document with the macros in its strings replaced. Like TorchX, replaces them in
/// nested objects, in lists directly in these, and in a list that is the whole document, but not in
/// objects or lists inside a list, in keys, or in a string that is the whole document. Keeps the
/// bytes of everything else. Leaves a text that is not JSON and strings with a lone surrogate
/// unchanged. Takes linear time for any depth. [any thread]
inline std::string substitute_macros_in_json(std::string_view text, const MacroValues& values) {
  if (text.find_first_of("$u") == std::string_view::npos)
    return std::string(text);  // no macro, not even as \u0024
  std::optional<std::string> rewritten = detail::JsonMacroRewriter(text, values).run();
  return rewritten ? *std::move(rewritten) : std::string(text);
}

}  // namespace sdk_1_0
}  // namespace slipway
