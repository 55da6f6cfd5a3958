// Lines of Slurm's commands in the shapes of several versions.
#include "plugins/slurm/state/job_lines.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"

namespace slipway::slurm::test {
namespace {

/// Returns the text with the separator of kSqueueFormat in place of each `^`.
std::string with_separators(std::string text) {
  std::replace(text.begin(), text.end(), '^', '\x1f');
  return text;
}

BOOST_AUTO_TEST_SUITE(JobLines)

BOOST_AUTO_TEST_CASE(reads_squeue_without_json) {
  const auto jobs = parse_squeue_lines(
      with_separators("12+1^RUNNING^2026-11-21T20:24:00^ps^(null)^(null)\n"
                      "3_2^PENDING^2026-11-21T20:24:00^a|rr^a|b [slipway s/x-1]^/a b/job.sh\n"
                      "4^PENDING^2026-11-21T20:24:00^two\n"
                      "7 lines^(null)^/job.sh\n"
                      "5^PENDING^2026-11-21T20:24:00^w^two\n"
                      "8 lines^/job.sh\n"
                      "not the line of a job\n"));
  BOOST_REQUIRE(jobs.size() == 4u);
  BOOST_TEST(jobs[0].het_id == 12);
  BOOST_TEST(jobs[0].het_offset == 1);
  BOOST_TEST(jobs[0].comment == "");
  BOOST_TEST(jobs[0].command == "");
  BOOST_TEST(jobs[0].submitted_at.has_value());
  BOOST_TEST(jobs[0].name == "ps");
  BOOST_TEST(jobs[1].app_id() == 3);
  BOOST_TEST(jobs[1].array_task.value() == 2);
  BOOST_TEST(jobs[1].name == "a|rr");
  BOOST_TEST(jobs[1].comment == "a|b [slipway s/x-1]");
  BOOST_TEST(jobs[1].command == "/a b/job.sh");
  BOOST_TEST(jobs[2].id == 4);
  BOOST_TEST(jobs[2].name == "two");
  BOOST_TEST(jobs[3].comment == "two");
  BOOST_TEST(jobs[3].command == "");
}

BOOST_AUTO_TEST_CASE(reads_sacct_with_and_without_comments) {
  const auto jobs = parse_sacct_lines(
      "JobID|JobName|State|ExitCode|NodeList|Submit|Start|End|Comment\n"
      "12+0|ps|CANCELLED by 1000|0:15|n1|2026-11-21T20:24:00|2026-11-21T20:24:01|Unknown|\n"
      "12+0.batch|batch|CANCELLED|0:15|n1|2026-11-21T20:24:00|2026-11-21T20:24:01|Unknown|\n"
      "9_2|w|TIMEOUT|0:0|None assigned|2026-11-21T20:24:00|Unknown|Unknown|a|b [slipway s/x-1]\n");
  BOOST_REQUIRE(jobs.size() == 2u);
  BOOST_TEST(jobs[0].het_id == 12);
  BOOST_TEST(jobs[0].signal == 15);
  BOOST_TEST((state_with_flags(jobs[0].states) == AppState::kCancelled));
  BOOST_TEST(jobs[0].comment == "");
  BOOST_TEST(jobs[1].array_task.value() == 2);
  BOOST_TEST(jobs[1].nodes == "");
  BOOST_TEST(jobs[1].comment == "a|b [slipway s/x-1]");
  BOOST_TEST(parse_sacct_lines("").empty());
}

BOOST_AUTO_TEST_CASE(a_name_of_any_text_breaks_neither_its_row_of_sacct_nor_others) {
  const auto jobs =
      parse_sacct_lines(with_separators("JobIDRaw^JobID^State^Submit^JobName^Comment\n"
                                        "7^7^COMPLETED^Unknown^w|^a|b [slipway s/x-1]\n"
                                        "8^8^FAILED^Unknown^w\n"
                                        "9^9\n"
                                        "10^10^RUNNING^Unknown^w^2\n"
                                        "11\n"));
  BOOST_REQUIRE(jobs.size() == 3u);
  BOOST_TEST(jobs[0].name == "w|");
  BOOST_TEST(jobs[0].states.front() == "COMPLETED");
  BOOST_TEST(jobs[0].comment == "a|b [slipway s/x-1]");
  BOOST_TEST(jobs[1].states.front() == "FAILED");
  BOOST_TEST(jobs[2].id == 10);
}

BOOST_AUTO_TEST_CASE(the_first_step_of_sacct_is_that_of_the_replicas) {
  const auto jobs = parse_sacct_lines(
      "JobID|JobName|State|ExitCode|NTasks|TotalCPU|MaxRSS|MaxRSSTask|Comment\n"
      "1+0|w|COMPLETED|0:0||00:09.078|||\n"
      "1+0.batch|batch|COMPLETED|0:0|1|00:08.025|216320K|0|\n"
      "1+0.extern|extern|COMPLETED|0:0|1|00:07.025|316320K|0|\n"
      "1+0.0|bash|COMPLETED|0:0|2|00:01.053|129280K|1|\n"
      "1+0.2|own|COMPLETED|0:0|1|00:00.001|999999K|0|\n"
      "1+1|v|COMPLETED|0:0||00:00.520|||\n"
      "1+1.1|bash|COMPLETED|0:0|1|1-02:03:04|1.5G||\n"
      "9|w|FAILED|3:0||00:00:00|||\n"
      "9.0|bash|FAILED|3:0|1|00:00:00||65534|\n");
  BOOST_REQUIRE(jobs.size() == 3u);
  const StepUse both = jobs[0].step;
  BOOST_TEST(both.use.cpu_time_ns == 1'053'000'000);
  BOOST_TEST(both.of_task(1).max_rss_bytes == 129280 * 1024);
  BOOST_TEST(both.of_task(1).cpu_time_ns == 0);
  BOOST_TEST(both.of_task(0).max_rss_bytes == 0);
  const ResourceUse one = jobs[1].step.of_task(0);
  BOOST_TEST(one.cpu_time_ns == ((24 + 2) * 3600 + 3 * 60 + 4) * 1'000'000'000LL);
  BOOST_TEST(one.max_rss_bytes == 1536LL << 20);
  BOOST_TEST(jobs[2].step.of_task(0).cpu_time_ns == 0);
  BOOST_TEST(jobs[2].step.of_task(0).max_rss_bytes == 0);
}

BOOST_AUTO_TEST_CASE(accounted_role_without_a_record_has_a_replica_for_each_task_of_its_step) {
  const auto jobs = parse_sacct_lines(
      "JobID|JobName|State|ExitCode|NTasks|Comment\n"
      "9|w|FAILED|3:0||[slipway s/x-1]\n"
      "9.batch|batch|FAILED|3:0|1|\n"
      "9.0|bash|FAILED|3:0|4|\n");
  const Description app = describe_jobs("9", jobs);
  BOOST_REQUIRE(app.roles.size() == 1u);
  BOOST_TEST(app.roles[0].replicas.size() == 4u);
}

BOOST_AUTO_TEST_CASE(rows_of_sacct_keep_the_number_of_each_component_and_task) {
  const auto jobs = parse_sacct_lines(
      "JobIDRaw|JobID|JobName|State|Submit|Comment\n"
      "12|12+0|ps|RUNNING|2026-11-21T20:24:00|\n"
      "13|12+1|w|RUNNING|2026-11-21T20:24:00|first line of a comment\n"
      "second line of it\n"
      "21|20_3|arr|FAILED|2026-11-21T20:24:00|\n"
      "20|20_[4-7]|arr|PENDING|2026-11-21T20:24:00|\n");
  BOOST_REQUIRE(jobs.size() == 4u);
  BOOST_TEST(jobs[1].id == 13);
  BOOST_TEST(jobs[1].app_id() == 12);
  BOOST_TEST(jobs[2].id == 21);
  BOOST_TEST(jobs[2].app_id() == 20);
  BOOST_TEST(jobs[3].array_tasks == "4-7");
  const auto apps = list_apps(jobs);
  BOOST_REQUIRE(apps.size() == 2u);
  BOOST_TEST((apps[1].state == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(hosts_and_shares_come_from_the_details_of_scontrol) {
  const auto jobs = parse_scontrol_lines(
      "JobId=4 JobName=trainer-0 JobState=RUNNING NodeList=n[1-3] JOB_GRES=(null)   "
      "Nodes=n[1-2] CPU_IDs=0-3 Mem=2000 GRES=   Nodes=n3 CPU_IDs=0,2-3 Mem=512 GRES= "
      "MinCPUsNode=1 WorkDir=/w\n"
      "JobId=5 JobName=w JobState=PENDING NodeList= Features=(null) Nodes=9 WorkDir=/w\n");
  BOOST_REQUIRE(jobs.size() == 2u);
  BOOST_TEST(jobs[0].hosts == (std::vector<std::string>{"n1", "n2", "n3"}),
             boost::test_tools::per_element());
  BOOST_TEST(jobs[0].nodes == "n1,n2,n3");
  BOOST_TEST(jobs[0].resource.cpu.whole() == 3);  // the share of the last host, as in TorchX
  BOOST_TEST(jobs[0].resource.mem_mb == 512);
  BOOST_TEST(jobs[1].hosts.empty());  // its Nodes= has no CPU_IDs=
}

BOOST_AUTO_TEST_CASE(reads_scontrol_of_20_11) {
  const auto jobs = parse_scontrol_lines(
      "JobId=1 HetJobId=1 HetJobOffset=0 JobName=my trainer HetJobIdSet=1-2 UserId=root(0) "
      "GroupId=root(0) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) Requeue=1 "
      "Restarts=1 ExitCode=5:0 SubmitTime=2026-11-21T20:24:00 StartTime=2026-11-21T20:24:00 "
      "EndTime=Unknown NodeList=n1 NumNodes=1 NumTasks=3 Command=/tmp/j1.sh WorkDir=/tmp "
      "Comment=a b=c [slipway s/x-1]  StdErr=/tmp/j1.out Power=\n"
      "JobId=8 ArrayJobId=3 ArrayTaskId=1 JobName=arr JobState=RUNNING ExitCode=0:9\n"
      "JobId=9 ArrayJobId=3 ArrayTaskId=2-3%2 JobName=arr JobState=PENDING ExitCode=0:0\n");
  BOOST_REQUIRE(jobs.size() == 3u);
  BOOST_TEST(jobs[0].name == "my trainer");
  BOOST_TEST(jobs[0].exit_code.value() == 5);
  BOOST_TEST(jobs[0].restarts.value() == 1);
  BOOST_TEST(jobs[0].tasks == 3);
  BOOST_TEST(jobs[0].comment == "a b=c [slipway s/x-1]");
  BOOST_TEST(!jobs[0].finished_at.has_value());
  BOOST_TEST(jobs[1].array_task.value() == 1);
  BOOST_TEST(jobs[1].signal == 9);
  BOOST_TEST(!jobs[2].array_task.has_value());
}

BOOST_AUTO_TEST_CASE(a_comment_of_scontrol_is_read_up_to_the_mark) {
  const auto jobs = parse_scontrol_lines(
      "JobId=7 JobName=w JobState=RUNNING Comment=lr=0.1 seed=3 [slipway s/app-x1] StdErr=/a\n"
      "JobId=8 JobName=w JobState=RUNNING Comment=mine StdErr=/a\n");
  BOOST_REQUIRE(jobs.size() == 2u);
  BOOST_TEST(jobs[0].comment == "lr=0.1 seed=3 [slipway s/app-x1]");
  BOOST_TEST(jobs[1].comment == "mine");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
