#include "sdk/support/plain_number.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(PlainNumber)

BOOST_AUTO_TEST_CASE(whole_text_must_be_the_number) {
  BOOST_TEST((plain_number<std::int32_t>("-42") == -42));
  BOOST_TEST((plain_number<std::uint64_t>("ff", 16) == 255u));
  BOOST_TEST((plain_number<double>("1.5") == 1.5));
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1x", "1_0", "0x1", "2147483648"})
    BOOST_TEST(!plain_number<std::int32_t>(text), text);
  BOOST_TEST(!plain_number<std::uint16_t>("-1"));
}

BOOST_AUTO_TEST_CASE(number_at_the_start_is_taken) {
  std::string_view text = "12;alpha";
  BOOST_TEST((take_plain_number<std::int64_t>(text) == 12));
  BOOST_TEST(text == ";alpha");
  BOOST_TEST(!take_plain_number<std::int64_t>(text));
  BOOST_TEST(text == ";alpha");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
