#include "core/components/template_text.hpp"

#include <utility>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// Accepts the bytes of names, and '.', so that a message shows an unknown `a.b` as a whole.
bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

class ExpressionParser {
 public:
  // `text` starts after the opening braces.
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Expression run() {
    Expression out;
    skip_blanks();
    if (at_quote()) {
      out.text = string();
    } else {
      out.param = name("a parameter");
    }
    for (skip_blanks(); take("|"); skip_blanks()) out.filters.push_back(filter());
    if (!take(kClose)) fail("expected '|' or '}}'");
    return out;
  }

  // Returns the offset after the closing braces, once run() has returned.
  std::size_t end() const { return at_; }

 private:
  Filter filter() {
    Filter out;
    skip_blanks();
    out.name = name("a filter");
    skip_blanks();
    if (!take("(")) return out;
    do {
      skip_blanks();
      if (!at_quote()) fail("expected a text in quotes");
      out.args.push_back(string());
      skip_blanks();
    } while (take(","));
    if (!take(")")) fail("expected ',' or ')'");
    return out;
  }

  bool at_quote() const { return at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\''); }

  std::string string() {
    const std::size_t from = at_ + 1;
    const std::size_t to = text_.find(text_[at_], from);
    if (to == std::string_view::npos) fail("a quote is not closed");
    at_ = to + 1;
    return std::string(text_.substr(from, to - from));
  }

  // Reads a name. `of_what` says what it names, for messages: "a filter".
  std::string name(const char* of_what) {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_name_byte(text_[at_])) ++at_;
    if (at_ == from) fail("expected the name of " + std::string(of_what));
    return std::string(text_.substr(from, at_ - from));
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }

  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  [[noreturn]] void fail(const std::string& why) const {
    const std::string_view rest = text_.substr(at_);
    throw Error(Code::kInvalid,
                why +
                    (rest.empty() ? " at the end of " : " before " + spec::quoted(rest) + " in ") +
                    spec::quoted(std::string(kOpen) + std::string(text_)),
                "write {{ '{{' }} for two literal braces");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<TemplatePart> parse_template(std::string_view text) {
  std::vector<TemplatePart> out;
  while (!text.empty()) {
    const std::size_t open = text.find(kOpen);
    if (open != 0) out.push_back({std::string(text.substr(0, open)), std::nullopt});
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + kOpen.size());
    ExpressionParser parser(text);
    out.push_back({{}, parser.run()});
    text.remove_prefix(parser.end());
  }
  return out;
}

bool is_whole_expression(const std::vector<TemplatePart>& parts) {
  return parts.size() == 1 && parts.front().expression.has_value();
}

}  // namespace slipway::components
