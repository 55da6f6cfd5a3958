#include "sdk/support/utf8.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Utf8)

BOOST_AUTO_TEST_CASE(prefix_never_ends_inside_a_character) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC";
  BOOST_TEST(utf8_prefix(text, 6) == text);
  BOOST_TEST(utf8_prefix(text, 5) == "a\xC3\xA9");
  BOOST_TEST(utf8_prefix(text, 3) == "a\xC3\xA9");
  BOOST_TEST(utf8_prefix(text, 2) == "a");
  BOOST_TEST(utf8_prefix(text, 0) == "");
  BOOST_TEST(utf8_prefix("\x80\x80\x80", 2) == "");
}

BOOST_AUTO_TEST_CASE(first_invalid_byte_is_found_at_every_offset) {
  for (std::size_t at = 0; at < 20; ++at) {
    const std::string text = std::string(at, 'x') + "\xE2\x82\xAC\xFF end";
    BOOST_TEST(find_invalid_utf8(text) == at + 3);
  }
  BOOST_TEST(find_invalid_utf8("caf\xC3\xA9") == std::string_view::npos);
  BOOST_TEST(find_invalid_utf8("\xC3") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
