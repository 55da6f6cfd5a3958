#include "core/runner/poll_timeout.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(PollTimeout)

BOOST_AUTO_TEST_CASE(is_infinite_or_the_time_left_up_to_a_day) {
  const auto now = std::chrono::steady_clock::now();
  BOOST_TEST(poll_timeout(std::nullopt) == -1);
  BOOST_TEST(poll_timeout(now - std::chrono::seconds(1)) == 0);
  BOOST_TEST(poll_timeout(now + std::chrono::hours(100)) == 24 * 3600 * 1000);
  const int within_an_hour = poll_timeout(now + std::chrono::hours(1));
  BOOST_TEST(within_an_hour > 0);
  BOOST_TEST(within_an_hour <= 3600 * 1000);
}

BOOST_AUTO_TEST_CASE(end_of_any_pause_is_a_time_that_the_clock_has) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now();
  BOOST_TEST((time_after(milliseconds::max()) == std::chrono::steady_clock::time_point::max()));
  BOOST_TEST((time_after(milliseconds::min()) >= now));
  BOOST_TEST((time_after(milliseconds(1)) > now));
  BOOST_TEST(poll_timeout(time_after(milliseconds::max())) == 24 * 3600 * 1000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
