#include "core/cli/apps/attempt_logs.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "slipway/error.hpp"

namespace slipway::cli {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Returns a replica whose attempts started at these seconds.
ReplicaStatus replica(std::int32_t id, const std::vector<std::int64_t>& starts) {
  ReplicaStatus out;
  out.id = id;
  for (const std::int64_t start : starts) {
    AttemptStatus attempt;
    attempt.started_at = start * kSecond;
    out.earlier_attempts.push_back(attempt);
  }
  if (starts.empty()) return out;
  out.started_at = out.earlier_attempts.back().started_at;
  out.earlier_attempts.pop_back();
  out.restarts = static_cast<std::int32_t>(out.earlier_attempts.size());
  return out;
}

AppStatus app(std::vector<ReplicaStatus> replicas) {
  AppStatus out;
  out.handle = {"sched", "s", "app-1"};
  out.description.roles.push_back({"w", std::move(replicas)});
  return out;
}

/// Returns the code of the error of attempt_queries() for the attempt `number`; nothing if it
/// succeeds.
std::optional<Code> code_of(const AppStatus& status, const LogQuery& query, std::size_t number) {
  try {
    (void)attempt_queries(status, query, number);
    return std::nullopt;
  } catch (const Error& error) {
    return error.code();
  }
}

BOOST_AUTO_TEST_SUITE(AttemptLogs)

BOOST_AUTO_TEST_CASE(attempt_ends_where_the_next_one_starts) {
  const AppStatus status = app({replica(0, {10, 20, 30})});
  const auto query = [&](std::size_t number) {
    return attempt_queries(status, {}, number).queries.at(0);
  };
  BOOST_TEST(!query(1).since.has_value());
  BOOST_TEST((query(1).until == 20 * kSecond - 1));
  BOOST_TEST((query(2).since == 20 * kSecond));
  BOOST_TEST((query(2).until == 30 * kSecond - 1));
  BOOST_TEST((query(3).since == 30 * kSecond));
  BOOST_TEST(!query(3).until.has_value());
}

BOOST_AUTO_TEST_CASE(replicas_with_one_attempt_share_a_query) {
  const AppStatus status = app({replica(0, {1}), replica(1, {2}), replica(2, {1, 2})});
  const AttemptQueries first = attempt_queries(status, {}, 1);
  BOOST_TEST_REQUIRE(first.queries.size() == 2U);
  BOOST_TEST_REQUIRE(first.queries[0].targets.size() == 1U);
  BOOST_TEST((first.queries[0].targets[0].replicas == std::vector<std::int32_t>{0, 1}));
  BOOST_TEST(first.most_attempts == 2U);
  const AttemptQueries second = attempt_queries(status, {}, 2);
  BOOST_TEST_REQUIRE(second.queries.size() == 1U);
  BOOST_TEST((second.queries[0].targets[0].replicas == std::vector<std::int32_t>{2}));
  BOOST_TEST(attempt_queries(status, {}, 3).queries.empty());
}

BOOST_AUTO_TEST_CASE(narrower_bounds_win) {
  const AppStatus status = app({replica(0, {10, 20, 30})});
  LogQuery query;
  query.since = 15 * kSecond;
  query.until = 25 * kSecond;
  const LogQuery second = attempt_queries(status, query, 2).queries.at(0);
  BOOST_TEST((second.since == 20 * kSecond));
  BOOST_TEST((second.until == 25 * kSecond));
  BOOST_TEST((attempt_queries(status, query, 1).queries.at(0).since == 15 * kSecond));
  BOOST_TEST(attempt_queries(status, query, 3).queries.empty());
}

BOOST_AUTO_TEST_CASE(waiting_replica_counts_its_earlier_attempts) {
  ReplicaStatus waiting = replica(0, {1, 2});
  waiting.earlier_attempts.resize(2);  // both have ended
  waiting.started_at.reset();
  BOOST_TEST(attempts_of(waiting) == 2U);
  BOOST_TEST(attempts_of(replica(0, {})) == 0U);
}

BOOST_AUTO_TEST_CASE(only_named_replicas_must_have_had_the_attempt) {
  const AppStatus status = app({replica(0, {1}), replica(1, {1, 2})});
  LogQuery named;
  named.targets = {{"w", {0}}};
  BOOST_TEST((code_of(status, named, 2) == Code::kNotFound));
  LogQuery role;
  role.targets = {{"w", {}}};
  BOOST_TEST(!code_of(status, role, 2).has_value());
}

BOOST_AUTO_TEST_CASE(scheduler_without_a_list_of_attempts_knows_the_last_one) {
  ReplicaStatus last = replica(0, {1, 2, 3});
  last.earlier_attempts.clear();
  const AppStatus status = app({last});
  const LogQuery query = attempt_queries(status, {}, 3).queries.at(0);
  // An engine that starts the attempts itself may record a start late, so the query begins earlier.
  BOOST_TEST((query.since > 2 * kSecond));
  BOOST_TEST((query.since < 3 * kSecond));
  BOOST_TEST((code_of(status, {}, 2) == Code::kUnimplemented));
  BOOST_TEST((code_of(status, {}, 1) == Code::kUnimplemented));
}

BOOST_AUTO_TEST_CASE(clock_that_was_set_back_is_an_error) {
  const AppStatus status = app({replica(0, {20, 10})});
  BOOST_TEST((code_of(status, {}, 1) == Code::kUnavailable));
  BOOST_TEST(!code_of(status, {}, 2).has_value());
}

BOOST_AUTO_TEST_CASE(roles_and_replicas_that_do_not_exist_are_left_to_the_scheduler) {
  const AppStatus status = app({replica(0, {1})});
  for (const LogTarget& target : {LogTarget{"nobody", {}}, LogTarget{"w", {3}}}) {
    LogQuery query;
    query.targets = {target};
    BOOST_TEST(attempt_queries(status, query, 2).queries.size() == 1U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
