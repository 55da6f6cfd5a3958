#include "plugins/docker/logs/container_logs.hpp"

#include <boost/test/unit_test.hpp>
#include <initializer_list>
#include <vector>

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

BOOST_AUTO_TEST_SUITE(RepeatedMessages)

/// Returns the messages that are new. Each is its time.
std::vector<std::int64_t> deliver(DeliveredMessages& messages,
                                  std::initializer_list<std::int64_t> times) {
  std::vector<std::int64_t> out;
  for (const std::int64_t time : times) {
    if (messages.add(time)) out.push_back(time);
  }
  return out;
}

using Times = std::vector<std::int64_t>;

BOOST_AUTO_TEST_CASE(a_reopened_log_continues_after_the_last_message) {
  DeliveredMessages messages;
  BOOST_TEST(!messages.repeats_from());
  BOOST_TEST(deliver(messages, {10, 20, 20}) == (Times{10, 20, 20}));
  BOOST_REQUIRE(messages.repeats_from());
  BOOST_TEST(*messages.repeats_from() < 20);
  for (int i = 0; i < 2; ++i) {
    messages.reopen();
    BOOST_TEST(deliver(messages, {10, 20, 20}).empty());
  }
  // A third message has the time 20.
  BOOST_TEST(deliver(messages, {20, 30}) == (Times{20, 30}));
  messages.reopen();
  BOOST_TEST(deliver(messages, {20, 20, 20, 30, 40}) == (Times{40}));
}

BOOST_AUTO_TEST_CASE(times_may_be_out_of_order) {
  DeliveredMessages messages;
  deliver(messages, {10, 30, 20});
  messages.reopen();
  BOOST_TEST(deliver(messages, {10, 30, 20, 15}) == (Times{15}));
}

BOOST_AUTO_TEST_CASE(a_reopened_log_without_the_last_message_has_only_new_messages) {
  DeliveredMessages messages;
  deliver(messages, {10, 20});
  messages.reopen();
  BOOST_TEST(deliver(messages, {30, 25}) == (Times{30, 25}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
