#include "core/runner/poll_timeout.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(PollTimeout)

BOOST_AUTO_TEST_CASE(is_infinite_zero_or_at_most_a_day) {
  const auto now = std::chrono::steady_clock::now();
  BOOST_TEST(poll_timeout(std::nullopt) == -1);
  BOOST_TEST(poll_timeout(now - std::chrono::seconds(1)) == 0);
  BOOST_TEST(poll_timeout(now + std::chrono::hours(100)) == 24 * 3600 * 1000);
  BOOST_TEST(poll_timeout(now + std::chrono::hours(1)) > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
