// CRC-32 of records, to tell torn or foreign bytes from ours. Not a protection against malice.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::local {

/// CRC-32 (IEEE 802.3) of `bytes`; `seed` continues from an earlier part.
std::uint32_t crc32(std::string_view bytes, std::uint32_t seed = 0);

}  // namespace slipway::local
