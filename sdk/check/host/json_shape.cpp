#include "sdk/check/host/json_shape.hpp"

#include <cctype>
#include <cstddef>

namespace slipway::check {

namespace {

constexpr int kMaxDepth = 100;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool whole_object() {
    skip_space();
    if (peek() != '{' || !value(0)) return false;
    skip_space();
    return at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool digits() {
    const std::size_t from = at_;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) ++at_;
    return at_ > from;
  }

  bool value(int depth) {
    if (depth > kMaxDepth) return false;
    skip_space();
    switch (peek()) {
      case '{': return members(depth, '{', '}', true);
      case '[': return members(depth, '[', ']', false);
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  bool members(int depth, char open, char close, bool with_keys) {
    take(open);
    skip_space();
    if (take(close)) return true;
    do {
      skip_space();
      if (with_keys) {
        if (!string()) return false;
        skip_space();
        if (!take(':')) return false;
      }
      if (!value(depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take(close);
  }

  bool string() {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  bool escape() {
    const char c = peek();
    if (at_ == text_.size()) return false;
    ++at_;
    if (c != 'u') return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    for (int i = 0; i < 4; ++i, ++at_)
      if (std::isxdigit(static_cast<unsigned char>(peek())) == 0) return false;
    return true;
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (peek() != 'e' && peek() != 'E') return true;
    ++at_;
    if (!take('+')) take('-');
    return digits();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_json_object(std::string_view text) { return Reader(text).whole_object(); }

}  // namespace slipway::check
