// Unique app ids, in TorchX's alphabet, which has no vowels and no characters that look alike.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the suffix for 64 random bits. The first character is one of 20 letters, the others are
/// letters or digits. The suffix for 0 is empty.
inline std::string id_suffix(std::uint64_t value) {
  constexpr std::string_view kFirst = "bcdfghjklmnpqrstvwxz";
  constexpr std::string_view kRest = "bcdfghjklmnpqrstvwxz012345679";
  std::string out;
  std::string_view alphabet = kFirst;
  while (value != 0) {
    out.push_back(alphabet[value % alphabet.size()]);
    value /= alphabet.size();
    alphabet = kRest;
  }
  return out;
}

/// Returns `<name>-<suffix>`.
inline std::string make_unique_id(std::string_view name, std::uint64_t value) {
  return std::string(name) + "-" + id_suffix(value);
}

/// Returns `<name>-<suffix>` with random bits of the system. [any thread]
inline std::string make_unique_id(std::string_view name) {
  std::random_device random;
  std::uint64_t value = 0;
  while (value == 0) value = (static_cast<std::uint64_t>(random()) << 32) | random();
  return make_unique_id(name, value);
}

}  // namespace sdk_1_0
}  // namespace slipway
