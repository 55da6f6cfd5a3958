#include "core/logs/time_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <ctime>
#include <string>

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
  BOOST_TEST(parse_time("3d", now) == now - 3 * 86400 * kSecond);
  BOOST_TEST(parse_time("@12.5", now) == 12 * kSecond + kSecond / 2);
  BOOST_TEST(parse_time("2026-03-01T12:00:00Z", now) == 1772366400LL * kSecond);
  BOOST_TEST(parse_time("2026-03-01T13:00:00.5+01:00", now) ==
             1772366400LL * kSecond + kSecond / 2);
  BOOST_TEST(parse_time("2026-03-01 06:30:00-05:30", now) == 1772366400LL * kSecond);
  BOOST_TEST(parse_time("2026-03-01t11:59:60z", now) == 1772366400LL * kSecond);
}

BOOST_AUTO_TEST_CASE(beyond_the_range_stay_in_the_far_future_or_past) {
  const std::int64_t year_2200 = 7'258'118'400LL * kSecond;
  BOOST_TEST(parse_time("9999-12-31T23:59:59Z", 0) > year_2200);
  BOOST_TEST(parse_time("2263-01-01T00:00:00Z", 0) > year_2200);
  BOOST_TEST(parse_time("0001-01-01T00:00:00Z", 0) < -year_2200);
}

BOOST_AUTO_TEST_CASE(for_people_are_in_the_local_zone_with_its_offset) {
  const std::string before = std::getenv("TZ") == nullptr ? "" : std::getenv("TZ");
  const auto in_zone = [](const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    return local_time_text(1772366400LL * kSecond + 123'456'789);
  };
  BOOST_TEST(in_zone("XYZ-5:30") == "2026-03-01T17:30:00.123+05:30");
  BOOST_TEST(in_zone("XYZ3") == "2026-03-01T09:00:00.123-03:00");
  BOOST_TEST(in_zone("UTC") == "2026-03-01T12:00:00.123Z");
  before.empty() ? ::unsetenv("TZ") : ::setenv("TZ", before.c_str(), 1);
  ::tzset();
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused) {
  for (const char* text : {"",
                           "soon",
                           "10",
                           "10x",
                           "-5m",
                           "@",
                           "@x",
                           "2026-13-01T00:00:00Z",
                           "2026-03-01",
                           "2026-03-01T12:00:00",
                           "2026-03-01T12:00:nanZ",
                           "@99999999999999999999",
                           "9999999d",
                           "2026-03-01T12:00:00+99:99",
                           "2026-03-01T12:00:00+24:00",
                           "2026-03-01T12:00:00+05:60",
                           "2026-03-01T12:00:00+-5:30",
                           "2026-03-01T12:00:00+0530",
                           "2026-03-01T12:00:0x10Z",
                           "2026-03-01T12:00:1e1Z",
                           "2026-03-01T12:00:61Z",
                           "2026-03-01T12:00:00.Z",
                           "2026-03-01T12:+5:00Z"}) {
    BOOST_CHECK_THROW(parse_time(text, 0), Error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::logs
