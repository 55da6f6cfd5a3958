#include "core/cli/apps/wait_lines.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace slipway::cli {
namespace {

/// Returns an app whose only replica waits for its first attempt, after this number of restarts.
Description waiting_app(std::int32_t restarts) {
  ReplicaStatus replica;
  replica.state = AppState::kPending;
  replica.details_json = R"({"waits_for":"waits for db"})";
  RoleStatus role;
  role.role = "web";
  role.replicas.push_back(replica);
  Description out;
  out.num_restarts = restarts;
  out.roles.push_back(role);
  return out;
}

/// Returns how often a wait that continues over a restart of the app is printed.
int prints_over_a_restart(ReplicaWaits::Grouping grouping) {
  int out = 0;
  ReplicaWaits waits(grouping, [&](const Wait&) { ++out; });
  for (const std::int32_t restarts : {0, 1}) {
    waits.look(waiting_app(restarts));
    std::this_thread::sleep_for(kShortestPrintedWait + std::chrono::milliseconds(10));
    waits.look(waiting_app(restarts));
  }
  return out;
}

BOOST_AUTO_TEST_SUITE(WaitLines)

BOOST_AUTO_TEST_CASE(wait_of_an_attempt_is_printed_once_although_the_app_restarts) {
  BOOST_TEST(prints_over_a_restart(ReplicaWaits::Grouping::kByReplica) == 1);
}

BOOST_AUTO_TEST_CASE(wait_of_a_role_is_printed_again_after_a_restart_of_the_app) {
  BOOST_TEST(prints_over_a_restart(ReplicaWaits::Grouping::kByRole) == 2);
}

BOOST_AUTO_TEST_CASE(wait_before_a_restart_does_not_count_after_it) {
  int printed = 0;
  ReplicaWaits waits(ReplicaWaits::Grouping::kByRole, [&](const Wait&) { ++printed; });
  waits.look(waiting_app(0));
  std::this_thread::sleep_for(kShortestPrintedWait + std::chrono::milliseconds(10));
  waits.look(waiting_app(1));
  BOOST_TEST(printed == 0);
}

BOOST_AUTO_TEST_CASE(attempts_that_the_scheduler_only_counts_have_waits_of_their_own) {
  std::vector<std::int32_t> attempts;
  ReplicaWaits waits(ReplicaWaits::Grouping::kByReplica,
                     [&](const Wait& wait) { attempts.push_back(wait.attempt); });
  for (const std::int32_t ended : {1, 2}) {
    Description app = waiting_app(0);
    app.roles[0].replicas[0].restarts = ended;
    waits.look(app);
    std::this_thread::sleep_for(kShortestPrintedWait + std::chrono::milliseconds(10));
    waits.look(app);
  }
  BOOST_TEST((attempts == std::vector<std::int32_t>{2, 3}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
