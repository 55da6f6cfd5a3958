#include "core/logs/time_text.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::logs {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

BOOST_AUTO_TEST_SUITE(Times)

BOOST_AUTO_TEST_CASE(are_written_in_utc_with_milliseconds) {
  BOOST_TEST(time_text(0) == "1970-01-01T00:00:00.000Z");
  BOOST_TEST(time_text(1772366400LL * kSecond + 123'456'789) == "2026-03-01T12:00:00.123Z");
  BOOST_TEST(time_text(-1) == "1969-12-31T23:59:59.999Z");
}

BOOST_AUTO_TEST_CASE(are_read_in_every_documented_form) {
  const std::int64_t now = 1000 * kSecond;
  BOOST_TEST(parse_time("90s", now) == 910 * kSecond);
  BOOST_TEST(parse_time("10m", now) == 400 * kSecond);
  BOOST_TEST(parse_time("2h", now) == now - 7200 * kSecond);
  BOOST_TEST(parse_time("@12.5", now) == 12 * kSecond + kSecond / 2);
  BOOST_TEST(parse_time("2026-03-01T12:00:00Z", now) == 1772366400LL * kSecond);
  BOOST_TEST(parse_time("2026-03-01T13:00:00.5+01:00", now) ==
             1772366400LL * kSecond + kSecond / 2);
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused) {
  for (const char* text : {"", "soon", "10", "10x", "-5m", "@", "@x", "2026-13-01T00:00:00Z",
                           "2026-03-01", "2026-03-01T12:00:00", "@99999999999999999999"}) {
    BOOST_CHECK_THROW(parse_time(text, 0), Error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::logs
