#include "sdk/support/checksum.hpp"

#include <array>

namespace slipway {
namespace {

// Slicing by eight: table k has the effect of a byte on the checksum after k further bytes, so one
// step processes eight bytes. Compared with zlib 1.2.13 on an AMD EPYC: 1.9 against 0.7 GB/s for
// 100 bytes (a line of the journal), 2.5 against 2.3 for 400 bytes (the head of a state file), 2.5
// against 4.2 for a megabyte. Most checksums are of lines and heads, and the helper needs no
// further library.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320U;  // that of CRC-32, with its bits reversed
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value & 1U) != 0 ? (value >> 1U) ^ kPolynomial : value >> 1U;
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[k - 1][i];
      tables[k][i] = tables[0][before & 0xFFU] ^ (before >> 8U);
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    const std::uint32_t low = crc ^ (byte_at(bytes, 0) | byte_at(bytes, 1) << 8U |
                                     byte_at(bytes, 2) << 16U | byte_at(bytes, 3) << 24U);
    crc = kTables[7][low & 0xFFU] ^ kTables[6][(low >> 8U) & 0xFFU] ^
          kTables[5][(low >> 16U) & 0xFFU] ^ kTables[4][low >> 24U] ^
          kTables[3][byte_at(bytes, 4)] ^ kTables[2][byte_at(bytes, 5)] ^
          kTables[1][byte_at(bytes, 6)] ^ kTables[0][byte_at(bytes, 7)];
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    crc = kTables[0][(crc ^ byte_at(bytes, i)) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

}  // namespace slipway
