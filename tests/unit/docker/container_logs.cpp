#include "plugins/docker/logs/container_logs.hpp"

#include <boost/test/unit_test.hpp>

#include "plugins/docker/request/container_plan.hpp"

namespace slipway::docker {

namespace {

Container attempt(const char* number, std::int64_t started_at) {
  Container out;
  out.labels = {{kAttemptLabel, number}};
  out.started_at = started_at;
  return out;
}

LogQuery between(TimeNs since, TimeNs until) {
  LogQuery out;
  out.since = since;
  out.until = until;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(LogsOfAttempts)

BOOST_AUTO_TEST_CASE(bounds_of_an_attempt_select_its_container_alone) {
  const Container first = attempt("1", 100);
  const Container second = attempt("2", 200);
  const LogQuery wanted = between({}, 199);
  const auto bounds = bounds_for(wanted, first, &second);
  BOOST_REQUIRE(bounds);
  BOOST_TEST((!bounds->since && !bounds->until));
  BOOST_TEST(!bounds_for(wanted, second, nullptr));

  const auto last = bounds_for(between(200, {}), second, nullptr);
  BOOST_REQUIRE(last);
  BOOST_TEST(!last->since);
  BOOST_TEST(!bounds_for(between(200, {}), first, &second));
}

BOOST_AUTO_TEST_CASE(other_bounds_stay) {
  const Container first = attempt("1", 100);
  const auto bounds = bounds_for(between(50, 150), first, nullptr);
  BOOST_REQUIRE(bounds);
  BOOST_TEST((bounds->since == TimeNs(50) && bounds->until == TimeNs(150)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
