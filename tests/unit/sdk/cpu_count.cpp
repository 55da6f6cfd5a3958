#include "slipway/cpu_count.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace slipway {

BOOST_AUTO_TEST_SUITE(CpuCounts)

BOOST_AUTO_TEST_CASE(every_number_with_three_decimals_is_exact) {
  for (std::int64_t milli = 1; milli < 3'000'000; milli += 7) {
    const auto cpus = CpuCount::of(static_cast<double>(milli) / 1000);
    BOOST_REQUIRE_MESSAGE(cpus && cpus->milli() == milli, milli);
  }
  BOOST_TEST((CpuCount::of(0) == CpuCount(0)));
  BOOST_TEST((CpuCount::of(2'147'483'647) == CpuCount(2'147'483'647)));
}

BOOST_AUTO_TEST_CASE(numbers_with_more_decimals_are_refused) {
  for (const double cpus : {0.0004, 0.0005, 1.0004, 600.0004, 100'000.0001})
    BOOST_TEST(!CpuCount::of(cpus), cpus);
}

BOOST_AUTO_TEST_CASE(negative_huge_and_undefined_numbers_are_refused) {
  for (const double cpus : {-0.5, -1.0, 2'147'483'648.0, std::nan(""), HUGE_VAL})
    BOOST_TEST(!CpuCount::of(cpus), cpus);
}

BOOST_AUTO_TEST_CASE(text_has_no_zeros_at_the_end) {
  BOOST_TEST(to_string(CpuCount(2)) == "2");
  BOOST_TEST(to_string(CpuCount::of_milli(250)) == "0.25");
  BOOST_TEST(to_string(CpuCount::of_milli(1001)) == "1.001");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway
