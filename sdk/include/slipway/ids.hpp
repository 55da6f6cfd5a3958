// Unique app ids, in TorchX's alphabet, which has no vowels, so that ids do not form words.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the suffix for 64 random bits. The first character is one of 20 letters, the others are
/// letters or digits; TorchX's alphabet has no '8'. The suffix for 0 is empty.
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

/// Returns 64 random bits from the kernel. Throws std::system_error on kernels before 3.17. [any
/// thread]
///
/// Rationale: std::random_device takes ten times as long on virtual machines, because it executes
/// CPUID, which the hypervisor must emulate.
inline std::uint64_t random_bits() {
  std::uint64_t value = 0;
  if (::getentropy(&value, sizeof value) != 0)
    throw std::system_error(errno, std::generic_category(), "getentropy");
  return value;
}

/// Returns `<name>-<suffix>` with random_bits(). [any thread]
inline std::string make_unique_id(std::string_view name) {
  std::uint64_t value = 0;
  while (value == 0) value = random_bits();
  return make_unique_id(name, value);
}

}  // namespace sdk_1_0
}  // namespace slipway
