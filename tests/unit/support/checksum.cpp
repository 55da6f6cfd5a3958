#include "sdk/support/checksum.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Checksum)

BOOST_AUTO_TEST_CASE(equals_the_published_values) {
  BOOST_TEST(crc32("") == 0u);
  BOOST_TEST(crc32("123456789") == 0xCBF43926u);
  BOOST_TEST(crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339u);
}

BOOST_AUTO_TEST_CASE(is_the_same_for_bytes_in_two_parts) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes.push_back(static_cast<char>(i * 37));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::string_view all(bytes);
    BOOST_TEST(crc32(all.substr(cut), crc32(all.substr(0, cut))) == crc32(all));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
