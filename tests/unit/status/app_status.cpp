#include "slipway/app_status.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/runner_errors.hpp"

namespace slipway {
namespace {

AppStatus failed() {
  AppStatus out;
  out.handle = {"local_cwd", "s", "app-1"};
  out.description.state = AppState::kFailed;
  ReplicaStatus replica;
  replica.state = AppState::kFailed;
  replica.exit_code = 3;
  replica.reason = "exit";
  replica.hostname = "here";
  replica.structured_error_json = "not json";
  out.description.roles = {{"w", {replica}}};
  return out;
}

BOOST_AUTO_TEST_SUITE(AppStatusText)

BOOST_AUTO_TEST_CASE(error_file_in_another_format_is_shown_with_its_replica) {
  const std::string text = failed().format();
  BOOST_TEST(text.find("*w[0]:FAILED\n        hostname: here\n        error_msg: not json") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(raise_for_status_names_the_app_and_the_failed_replica) {
  BOOST_CHECK_EXCEPTION(failed().raise_for_status(), AppStatusError, [](const AppStatusError& e) {
    return e.message() == "local_cwd://s/app-1 did not succeed, it is FAILED: w/0 exited with 3" &&
           e.status().handle.app_id == "app-1" && e.code() == Code::kPrecondition;
  });
  AppStatus status = failed();
  status.description.state = AppState::kSucceeded;
  BOOST_CHECK_NO_THROW(status.raise_for_status());
}

BOOST_AUTO_TEST_CASE(yaml_names_the_state_of_each_replica) {
  BOOST_TEST(to_string(failed()).find("  roles:\n  - replicas:\n    - hostname: here\n      id: 0\n"
                                      "      role: w\n      state: FAILED\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
