// CRC-32, which detects accidental damage of files. It does not detect deliberate changes.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway {

/// Returns the CRC-32 (IEEE 802.3) of `bytes`. `seed` is the result for the bytes before them.
std::uint32_t crc32(std::string_view bytes, std::uint32_t seed = 0);

}  // namespace slipway
