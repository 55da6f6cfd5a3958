#include "core/cli/terminal/exit_status.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

ReplicaStatus failed(std::int64_t finished_at) {
  ReplicaStatus out;
  out.state = AppState::kFailed;
  out.finished_at = finished_at;
  return out;
}

Description app_of(std::vector<ReplicaStatus> replicas, AppState state = AppState::kFailed) {
  Description out;
  out.state = state;
  out.roles.push_back({"w", std::move(replicas)});
  return out;
}

BOOST_AUTO_TEST_SUITE(ExitStatus)

BOOST_AUTO_TEST_CASE(is_that_of_the_replica_that_failed_first) {
  ReplicaStatus late = failed(20);
  late.exit_code = 3;
  ReplicaStatus early = failed(10);
  early.exit_code = 7;
  BOOST_TEST(exit_status(app_of({late, early})) == 7);
}

BOOST_AUTO_TEST_CASE(of_a_signal_is_128_and_its_number) {
  ReplicaStatus killed = failed(1);
  killed.signal = 9;
  BOOST_TEST(exit_status(app_of({killed})) == 137);
}

BOOST_AUTO_TEST_CASE(of_an_unknown_end_is_70) {
  BOOST_TEST(exit_status(app_of({failed(1)})) == 70);
  BOOST_TEST(exit_status(app_of({})) == 70);
}

BOOST_AUTO_TEST_CASE(of_a_limit_does_not_depend_on_how_the_replica_ended) {
  for (const int code : {0, 3, 143}) {
    ReplicaStatus late = failed(1);
    late.reason = "timeout";
    late.exit_code = code;
    BOOST_TEST(exit_status(app_of({late})) == 124);
    late.reason = "not_ready";
    BOOST_TEST(exit_status(app_of({late})) == 124);
    late.reason = "oom";
    BOOST_TEST(exit_status(app_of({late})) == 137);
  }
  ReplicaStatus stopped;
  stopped.state = AppState::kCancelled;
  stopped.reason = "timeout";
  BOOST_TEST(exit_status(app_of({stopped})) == 124);
}

BOOST_AUTO_TEST_CASE(of_success_is_0_and_of_cancelling_130) {
  BOOST_TEST(exit_status(app_of({}, AppState::kSucceeded)) == 0);
  BOOST_TEST(exit_status(app_of({failed(1)}, AppState::kCancelled)) == 130);
}

BOOST_AUTO_TEST_CASE(is_never_0_for_a_state_that_is_not_terminal) {
  for (const AppState state : {AppState::kUnknown, AppState::kPending, AppState::kRunning})
    BOOST_TEST(exit_status(app_of({}, state)) != 0);
}

BOOST_AUTO_TEST_CASE(is_never_0_for_a_failed_app) {
  ReplicaStatus odd = failed(1);
  odd.exit_code = 256;  // an exit status has only the lower eight bits
  BOOST_TEST(exit_status(app_of({odd})) != 0);
}

BOOST_AUTO_TEST_CASE(of_an_error_code_is_fixed) {
  BOOST_TEST(exit_status(Code::kUsage) == 64);
  BOOST_TEST(exit_status(Code::kInvalid) == 65);
  BOOST_TEST(exit_status(Code::kNotFound) == 66);
  BOOST_TEST(exit_status(Code::kUnavailable) == 69);
  BOOST_TEST(exit_status(Code::kUnimplemented) == 69);
  BOOST_TEST(exit_status(Code::kAbi) == 69);
  BOOST_TEST(exit_status(Code::kPrecondition) == 69);
  BOOST_TEST(exit_status(Code::kInternal) == 70);
  BOOST_TEST(exit_status(Code::kCantCreate) == 73);
  BOOST_TEST(exit_status(Code::kExists) == 73);
  BOOST_TEST(exit_status(Code::kTemporary) == 75);
  BOOST_TEST(exit_status(Code::kTimeout) == 75);
  BOOST_TEST(exit_status(Code::kOutcomeUnknown) == 75);
  BOOST_TEST(exit_status(Code::kDenied) == 77);
  BOOST_TEST(exit_status(Code::kConfig) == 78);
  BOOST_TEST(exit_status(Code::kCancelled) == 130);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
