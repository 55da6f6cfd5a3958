#include "slipway/names.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Names)

BOOST_AUTO_TEST_CASE(normalize_str_keeps_lower_case_letters_digits_and_dashes) {
  BOOST_TEST(normalize_str("My_App-01!") == "myapp-01");
  BOOST_TEST(normalize_str("a b/c") == "abc");
  BOOST_TEST(normalize_str("").empty());
  BOOST_TEST(normalize_str("\xC3\xA9").empty());
}

BOOST_AUTO_TEST_CASE(one_leading_dash_is_dropped) {
  BOOST_TEST(normalize_str("-a") == "a");
  BOOST_TEST(normalize_str("--a") == "-a");
}

BOOST_AUTO_TEST_CASE(cleanup_str_also_keeps_underscores) {
  BOOST_TEST(cleanup_str("My_App!") == "my_app");
}

BOOST_AUTO_TEST_CASE(two_letters_outside_ascii_have_an_ascii_lower_case) {
  BOOST_TEST(normalize_str("\xC4\xB0\xE2\x84\xAA") == "ik");  // U+0130 and the Kelvin sign
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
