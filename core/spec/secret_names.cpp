#include "core/spec/secret_names.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace slipway::spec {

bool is_secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> kWords = {"SECRET",      "TOKEN",     "PASSWORD",
                                                      "PASSWD",      "API_KEY",   "ACCESS_KEY",
                                                      "PRIVATE_KEY", "CREDENTIAL"};
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == '-') c = '_';
  }
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

}  // namespace slipway::spec
