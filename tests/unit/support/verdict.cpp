#include "sdk/support/rules/verdict.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::rules {

namespace {

RoleRules rules_with(RetryScope scope, std::int32_t max_retries, std::int32_t min_replicas = 0) {
  RoleRules out;
  out.scope = scope;
  out.max_retries = max_retries;
  out.min_replicas = min_replicas;
  return out;
}

// Returns the failure of one of four replicas, whose first attempt exited with `code`.
Failure exit_code(int code) {
  Failure out;
  out.reason = Reason::kExit;
  out.wait_status = code << 8;
  out.attempts_in_round = 1;
  out.replicas = 4;
  return out;
}

bool leads_to(const Failure& failure, const RoleRules& rules, Verdict verdict,
              const RetryFilter& retried = {}) {
  return verdict_on(failure, rules, retried) == verdict;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Verdicts)

BOOST_AUTO_TEST_CASE(each_policy_counts_its_own_starts) {
  Failure failure = exit_code(1);
  failure.attempts_in_round = 2;
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kReplica, 2), Verdict::kRetryReplica));
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kReplica, 1), Verdict::kForGood));
  failure.role_restarts = 1;
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kRole, 2), Verdict::kRestartRole));
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kRole, 1), Verdict::kForGood));
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kApplication, 1), Verdict::kRestartApp));
  failure.app_restarts = 1;
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kApplication, 1), Verdict::kForGood));
}

BOOST_AUTO_TEST_CASE(failure_outside_the_filter_is_for_good) {
  RetryFilter retried;
  retried.any = false;
  retried.exit_codes = {3};
  const RoleRules rules = rules_with(RetryScope::kReplica, 1);
  BOOST_TEST(leads_to(exit_code(3), rules, Verdict::kRetryReplica, retried));
  BOOST_TEST(leads_to(exit_code(4), rules, Verdict::kForGood, retried));
}

BOOST_AUTO_TEST_CASE(elastic_role_restarts_only_when_too_few_are_left) {
  const RoleRules rules = rules_with(RetryScope::kRole, 1, 3);
  Failure failure = exit_code(1);
  BOOST_TEST(leads_to(failure, rules, Verdict::kForGood));
  failure.failed_for_good = 1;
  BOOST_TEST(leads_to(failure, rules, Verdict::kRestartRole));
}

BOOST_AUTO_TEST_CASE(nothing_starts_again_when_only_services_are_left) {
  Failure failure = exit_code(1);
  failure.work_is_done = true;
  BOOST_TEST(leads_to(failure, rules_with(RetryScope::kReplica, 9), Verdict::kForGood));
}

BOOST_AUTO_TEST_CASE(pause_grows_with_the_starts_that_the_policy_counts) {
  Backoff backoff;
  backoff.initial_ms = 100;
  backoff.jitter = 0;
  Failure failure = exit_code(1);
  failure.attempts_in_round = 3;
  failure.app_restarts = 1;
  BOOST_TEST(pause_ms(failure, Verdict::kRetryReplica, backoff, 7) == 400);
  BOOST_TEST(pause_ms(failure, Verdict::kRestartApp, backoff, 7) == 200);
  BOOST_TEST(pause_ms(failure, Verdict::kRestartRole, backoff, 7) == 100);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::rules
