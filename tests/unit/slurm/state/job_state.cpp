#include "plugins/slurm/state/job_state.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::slurm::test {

BOOST_AUTO_TEST_SUITE(JobState)

BOOST_AUTO_TEST_CASE(a_reason_is_reported_in_plain_words) {
  BOOST_TEST(reason_text("Resources") == "waiting for resources");
  BOOST_TEST(reason_text("QOSMaxJobsPerUserLimit") ==
             "a limit of its QOS is reached (QOSMaxJobsPerUserLimit)");
  BOOST_TEST(reason_text("RaisedSignal:9(Killed)") == "");
  BOOST_TEST(reason_text("FromTheFuture") == "Slurm says FromTheFuture");
  BOOST_TEST(reason_text("None") == "");
}

BOOST_AUTO_TEST_CASE(flags_decide_whether_a_job_has_ended) {
  BOOST_TEST((state_with_flags({"COMPLETING"}) == AppState::kRunning));
  BOOST_TEST((state_with_flags({"CONFIGURING"}) == AppState::kPending));
  BOOST_TEST((state_with_flags({"RUNNING", "CONFIGURING"}) == AppState::kPending));
  BOOST_TEST((state_with_flags({"PENDING", "REQUEUED"}) == AppState::kPending));
  // squeue -o and scontrol print a flag instead of the base state.
  BOOST_TEST((state_with_flags({"RESV_DEL_HOLD"}) == AppState::kPending));
  BOOST_TEST((state_with_flags({"EXPEDITING"}) == AppState::kPending));
  BOOST_TEST((state_with_flags({"TIMEOUT"}) == AppState::kFailed));
  // squeue -o prints only REVOKED. JSON since 23.11 also has the base state.
  BOOST_TEST((state_with_flags({"REVOKED"}) == AppState::kFailed));
  BOOST_TEST((state_with_flags({"PENDING", "REVOKED"}) == AppState::kFailed));
  BOOST_TEST((state_with_flags({"RUNNING", "RESIZING"}) == AppState::kRunning));
  BOOST_TEST((state_with_flags({"RESIZING"}) == AppState::kRunning));
  BOOST_TEST((state_with_flags({}) == AppState::kUnknown));
}

BOOST_AUTO_TEST_CASE(a_job_that_was_stopped_and_has_ended_is_not_running) {
  BOOST_TEST((state_with_flags({"STOPPED"}) == AppState::kRunning));
  BOOST_TEST((state_with_flags({"RUNNING", "STOPPED"}) == AppState::kRunning));
  BOOST_TEST((state_with_flags({"FAILED", "STOPPED"}) == AppState::kFailed));
  BOOST_TEST((state_with_flags({"CANCELLED", "COMPLETING", "STOPPED"}) == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(reason_and_exit_code_show_how_a_job_ended) {
  const auto word = [](const char* reason, std::int32_t exit_code, std::int32_t signal = 0) {
    QueueJob job;
    job.reason = reason;
    job.signal = signal;
    if (signal == 0) job.exit_code = exit_code;
    return end_word(job);
  };
  BOOST_TEST(word("", 0) == "COMPLETED");
  BOOST_TEST(word("NonZeroExitCode", 7) == "FAILED");
  BOOST_TEST(word("RaisedSignal:9(Killed)", 0, 9) == "FAILED");
  BOOST_TEST(word("TimeLimit", 0, 15) == "TIMEOUT");
  BOOST_TEST(word("OutOfMemory", 137) == "OUT_OF_MEMORY");
  BOOST_TEST(word("NodeFail", 1) == "NODE_FAIL");
  // Slurm gives no reason for a cancellation.
  BOOST_TEST(word("", 137) == "CANCELLED");
  BOOST_TEST(word("", 0, 15) == "CANCELLED");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
