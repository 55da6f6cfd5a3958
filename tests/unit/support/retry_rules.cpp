#include "sdk/support/rules/retry_rules.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::rules {

BOOST_AUTO_TEST_SUITE(RetryRules)

BOOST_AUTO_TEST_CASE(seconds_have_no_unit_and_no_superfluous_zeros) {
  BOOST_TEST(seconds_text(60'000) == "60");
  BOOST_TEST(seconds_text(1'500) == "1.5");
  BOOST_TEST(seconds_text(1) == "0.001");
  BOOST_TEST(seconds_text(0) == "0");
}

BOOST_AUTO_TEST_CASE(no_positive_time_becomes_0_milliseconds) {
  BOOST_TEST(milliseconds(0) == 0);
  BOOST_TEST(milliseconds(0.0001) == 1);
  BOOST_TEST(milliseconds(1.5) == 1'500);
}

BOOST_AUTO_TEST_CASE(long_times_have_no_exponent_and_are_exact) {
  BOOST_TEST(seconds_text(31'536'000'000) == "31536000");
  BOOST_TEST(seconds_text(1'234'567'500) == "1234567.5");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::rules
