#include "core/status/outcome.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

namespace slipway {
namespace {

std::optional<bool> readiness_in(const std::string& details) {
  ReplicaStatus replica;
  replica.details_json = details;
  return readiness(replica);
}

BOOST_AUTO_TEST_SUITE(ReplicaReadiness)

BOOST_AUTO_TEST_CASE(is_the_schedulers_value) {
  BOOST_TEST((readiness_in(R"({"gpus":[1],"ready":true})") == true));
  BOOST_TEST((readiness_in(R"({"ready":false})") == false));
}

BOOST_AUTO_TEST_CASE(is_empty_if_the_scheduler_does_not_report_it) {
  for (const char* details : {"", "{}", R"({"ready":"yes"})", "[true]", "{"})
    BOOST_TEST(!readiness_in(details).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(EndingText)

BOOST_AUTO_TEST_CASE(has_a_reason_that_only_the_scheduler_knows) {
  BOOST_TEST(ending_text(AppState::kFailed, std::nullopt, 0, "preempted", "") ==
             "is FAILED (preempted)");
  BOOST_TEST(ending_text(AppState::kFailed, 3, 0, "preempted", "") == "exited with 3 (preempted)");
  BOOST_TEST(ending_text(AppState::kFailed, 3, 0, "exit", "") == "exited with 3");
  BOOST_TEST(ending_text(AppState::kFailed, std::nullopt, 9, "signal", "") ==
             "was killed by SIGKILL");
}

BOOST_AUTO_TEST_CASE(of_a_lost_replica_has_the_apps_message) {
  Description app;
  app.roles.resize(1);
  app.roles[0].role = "w";
  app.roles[0].replicas.resize(1);
  app.roles[0].replicas[0].state = AppState::kFailed;
  app.roles[0].replicas[0].reason = "lost";
  BOOST_TEST(failure_text(app) == "w/0 was lost: its end was not observed");
  app.msg = "one of its nodes failed";
  BOOST_TEST(failure_text(app) ==
             "w/0 was lost: its end was not observed (one of its nodes failed)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
