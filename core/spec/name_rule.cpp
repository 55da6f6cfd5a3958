#include "core/spec/name_rule.hpp"

#include "sdk/support/utf8.hpp"

namespace slipway::spec {

std::string hidden_fault(std::string_view name) {
  if (find_invalid_utf8(name) != std::string_view::npos) return "is not UTF-8";
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t length = utf8_length_at(name, at);
    const char32_t code = detail::utf8_code_at(name, at, length);
    if (is_hidden_character(code)) {
      return code < 0xa0
                 ? "contains a control character"
                 : "contains the invisible character " + visible_line(name.substr(at, length));
    }
    at += length;
  }
  return {};
}

std::string name_fault(std::string_view name, std::size_t max_bytes) {
  if (name.empty()) return "is empty";
  if (name.front() == '.') return "starts with a dot";
  if (name.size() > max_bytes) {
    return "is too long, " + std::to_string(name.size()) + " bytes of at most " +
           std::to_string(max_bytes);
  }
  if (name.find('/') != std::string_view::npos) return "contains a slash";
  return hidden_fault(name);
}

}  // namespace slipway::spec
