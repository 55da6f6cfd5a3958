// The rules of retries, and the record of attempts.
#include <signal.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>

#include "plugins/local/engine/journal.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/engine/transitions.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

constexpr std::int32_t wait_status(int code) { return code << 8; }

struct RetryFixture : AppFixture {
  /// Returns a plan with two retries and almost no back-off.
  LaunchPlan failing(const std::string& script, std::int32_t replicas, RetryScope scope) const {
    LaunchPlan plan = shell("app-1", replicas, script);
    plan.groups[0].rules.max_retries = 2;
    plan.groups[0].rules.scope = scope;
    plan.rules.backoff.initial_ms = 1;
    return plan;
  }
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorRetries, RetryFixture)

BOOST_AUTO_TEST_CASE(filter_distinguishes_the_kinds_of_failure) {
  RetryFilter filter;
  BOOST_TEST(filter.matches(Reason::kLost, 0));
  filter.any = false;
  filter.exit_codes = {3};
  filter.signals = {SIGKILL};
  filter.timeout = true;
  BOOST_TEST(filter.matches(Reason::kExit, wait_status(3)));
  BOOST_TEST(!filter.matches(Reason::kExit, wait_status(9)));
  BOOST_TEST(filter.matches(Reason::kSignal, SIGKILL));
  BOOST_TEST(!filter.matches(Reason::kSignal, SIGTERM));
  BOOST_TEST(filter.matches(Reason::kTimeout, SIGTERM));
  BOOST_TEST(!filter.matches(Reason::kLost, 0));
  BOOST_TEST(!filter.matches(Reason::kOom, SIGKILL));
}

BOOST_AUTO_TEST_CASE(back_off_grows_to_its_bound_and_varies_within_its_jitter) {
  // initial_ms, factor, max_ms and jitter. delay_ms() takes a retry and a random number.
  Backoff backoff{100, 3, 1000, 0};
  BOOST_TEST(backoff.delay_ms(0, 1) == 100);
  BOOST_TEST(backoff.delay_ms(1, 2) == 300);
  BOOST_TEST(backoff.delay_ms(3, 3) == 1000);
  BOOST_TEST(backoff.delay_ms(4'000'000'000U, 4) == 1000);
  BOOST_TEST((Backoff{0, 3, 1000, 0.5}.delay_ms(4'000'000'000U, 5) == 0));
  backoff.jitter = 0.5;
  bool below = false;
  bool above = false;
  for (std::uint64_t random = 0; random < 100; ++random) {
    const std::int64_t delay = backoff.delay_ms(0, random);
    BOOST_TEST(delay >= 50);
    BOOST_TEST(delay <= 150);
    below = below || delay < 90;
    above = above || delay > 110;
  }
  BOOST_TEST(below);
  BOOST_TEST(above);
}

BOOST_AUTO_TEST_CASE(only_pending_follows_succeeded_or_failed_and_nothing_follows_cancelled) {
  using S = RecordState;
  BOOST_TEST(may_follow(S::kFailed, S::kPending));
  BOOST_TEST(may_follow(S::kSucceeded, S::kPending));
  for (const S to :
       {S::kPending, S::kStarting, S::kRunning, S::kSucceeded, S::kFailed, S::kEnded}) {
    BOOST_TEST(!may_follow(S::kCancelled, to));
    if (to == S::kPending) continue;
    BOOST_TEST(!may_follow(S::kSucceeded, to));
    BOOST_TEST(!may_follow(S::kFailed, to));
  }
}

BOOST_AUTO_TEST_CASE(illegal_change_of_state_is_an_error) {
  using S = RecordState;
  BOOST_CHECK_EXCEPTION(
      require_transition(S::kRunning, S::kStarting), Error, [](const Error& error) {
        return error.message() == "illegal change of state from RUNNING to STARTING";
      });
  BOOST_CHECK_THROW(require_transition(AppState::kSucceeded, AppState::kRunning), Error);
  BOOST_CHECK_THROW(require_transition(AppState::kRunning, AppState::kSubmitted), Error);
  BOOST_CHECK_NO_THROW(require_transition(AppState::kSubmitted, AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(record_keeps_every_attempt_with_its_end) {
  const AppSnapshot app = run(failing("exit 5", 2, RetryScope::kReplica));
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST(app.num_restarts == 0U);
  for (const auto& replica : app.roles[0].replicas) {
    BOOST_TEST(replica.restarts == 2U);
    BOOST_TEST_REQUIRE(replica.earlier.size() == 2U);
    std::int64_t before = app.submitted_ns;
    for (const auto& attempt : replica.earlier) {
      BOOST_TEST((attempt.state == AppState::kFailed));
      BOOST_TEST((attempt.exit_code == 5));
      BOOST_TEST(attempt.pid > 1);
      BOOST_TEST_REQUIRE((attempt.started_at && attempt.finished_at));
      BOOST_TEST(*attempt.started_at >= before);
      BOOST_TEST(*attempt.finished_at >= *attempt.started_at);
      before = *attempt.finished_at;
    }
    BOOST_TEST(replica.started_ns >= before);
  }
}

BOOST_AUTO_TEST_CASE(app_is_not_restarted_more_often_than_allowed) {
  const AppSnapshot app = run(failing("exit ${replica_id}", 2, RetryScope::kApplication));
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST(app.num_restarts == 2U);
  for (const auto& replica : app.roles[0].replicas) BOOST_TEST(replica.restarts == 2U);
}

BOOST_AUTO_TEST_CASE(second_journal_line_for_an_attempt_is_ignored) {
  LaunchPlan plan = failing("exit 5", 1, RetryScope::kReplica);
  run(plan);
  wait_for_supervisor_to_leave("app-1");
  const OwnedFd dir = open_app_dir(ref("app-1"));
  // The supervisor seems to have died after it had recorded the second attempt.
  EventLog journal(dir.get());
  journal.add(99, "replica w/0 ENDED pid=7 attempt=2 reason=lost state=FAILED started=1", 2);
  BOOST_TEST_REQUIRE(journal.flush());
  {
    StateStore state(dir.get());
    unseal(state.header());
    state.header().attempts.store(3);  // it had 2; the new line counts also
    seal(state.header());
  }
  const AppSnapshot app = *read_app(ref("app-1"));
  BOOST_TEST_REQUIRE(app.roles[0].replicas[0].earlier.size() == 2U);
  BOOST_TEST(app.roles[0].replicas[0].earlier[1].reason == "exit");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
