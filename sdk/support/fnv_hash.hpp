// FNV-1a, which spreads texts over 64 bits. Equal results do not prove that the texts are equal.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway {

/// Returns the hash of `text`, which is the same on all machines. `seed` is the result for the text
/// before it. The two numbers below are the offset basis and the prime of FNV-1a.
constexpr std::uint64_t fnv_hash(std::string_view text,
                                 std::uint64_t seed = 14695981039346656037U) {
  for (const char each : text) {
    seed ^= static_cast<unsigned char>(each);
    seed *= 1099511628211U;
  }
  return seed;
}

}  // namespace slipway
