#include "core/spec/name_rule.hpp"

#include <algorithm>

#include "core/spec/utf8.hpp"

namespace slipway::spec {

std::string name_fault(std::string_view name, std::size_t most) {
  if (name.empty()) return "is empty";
  if (name.front() == '.') return "starts with a dot";
  if (name.size() > most) {
    return "is too long, " + std::to_string(name.size()) + " bytes of at most " +
           std::to_string(most);
  }
  if (name.find('/') != std::string_view::npos) return "contains a slash";
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  };
  if (std::any_of(name.begin(), name.end(), is_control)) return "contains a control character";
  if (find_invalid_utf8(name) != std::string_view::npos) return "is not UTF-8";
  return {};
}

}  // namespace slipway::spec
