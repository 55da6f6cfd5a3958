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
  BOOST_TEST((settled_state({"COMPLETING"}) == AppState::kRunning));
  BOOST_TEST((settled_state({"CONFIGURING"}) == AppState::kPending));
  BOOST_TEST((settled_state({"RUNNING", "CONFIGURING"}) == AppState::kPending));
  BOOST_TEST((settled_state({"PENDING", "REQUEUED"}) == AppState::kPending));
  // squeue -o and scontrol print a flag instead of the base state.
  BOOST_TEST((settled_state({"RESV_DEL_HOLD"}) == AppState::kPending));
  BOOST_TEST((settled_state({"EXPEDITING"}) == AppState::kPending));
  BOOST_TEST((settled_state({"TIMEOUT"}) == AppState::kFailed));
  // squeue -o prints only REVOKED. JSON since 23.11 also has the base state.
  BOOST_TEST((settled_state({"REVOKED"}) == AppState::kFailed));
  BOOST_TEST((settled_state({"PENDING", "REVOKED"}) == AppState::kFailed));
  BOOST_TEST((settled_state({"RUNNING", "RESIZING"}) == AppState::kRunning));
  BOOST_TEST((settled_state({"RESIZING"}) == AppState::kRunning));
  BOOST_TEST((settled_state({}) == AppState::kUnknown));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
