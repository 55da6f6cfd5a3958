// Tests queries about jobs, with commands of several versions and commands that fail.
#include "plugins/slurm/engine/job_query.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "slipway/error.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

struct QueryFixture : SlurmFixture {
  JobAnswer query() const { return query_any_app(*parse_job_id("7"), Call()); }
  Error failure() const {
    try {
      query();
    } catch (const Error& error) {
      return error;
    }
    return {Code::kInternal, "it was answered"};
  }
};

/// Reads the queue in a call that ends after `time`. Returns why this failed.
std::string problem_within(std::chrono::milliseconds time) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  auto raw = abi::sized<slipway_call>();
  raw.deadline_ns = std::chrono::nanoseconds(now + time).count();
  JobLists lists;
  query_queue(lists, Call(&raw, nullptr, nullptr));
  return lists.queue_problem ? lists.queue_problem->message() : std::string();
}

constexpr const char* kNoJob = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
constexpr const char* kNoAccounting = "echo 'Slurm accounting storage is disabled' >&2; exit 1";

BOOST_FIXTURE_TEST_SUITE(JobQuery, QueryFixture)

BOOST_AUTO_TEST_CASE(a_query_at_the_end_of_a_call_is_not_repeated_and_its_failure_is_reported) {
  install("squeue", "echo 'squeue: error: Unable to contact slurm controller' >&2; exit 1");
  // A query that has less than a second left is not repeated.
  BOOST_TEST(problem_within(std::chrono::milliseconds(900)).find("Unable to contact") !=
             std::string::npos);
  install("squeue", "exec sleep 60");
  BOOST_TEST(problem_within(std::chrono::milliseconds(100)) == "no time was left to ask squeue");
}

BOOST_AUTO_TEST_CASE(a_squeue_without_json_is_replaced_by_scontrol) {
  install("squeue", "echo \"squeue: unrecognized option '--json'\" >&2; exit 1");
  install("scontrol", "echo 'JobId=7 JobName=w JobState=RUNNING Reason=None NodeList=n1'");
  const JobAnswer answer = query();
  BOOST_REQUIRE(answer.jobs.size() == 1u);
  BOOST_TEST(answer.jobs[0].nodes == "n1");
}

BOOST_AUTO_TEST_CASE(before_23_02_scontrol_describes_a_job_instead_of_the_whole_queue) {
  install("squeue", "[[ $1 == --version ]] && echo slurm-wlm 22.05.8 || touch " + path("asked"));
  install("scontrol",
          "case \" $* \" in *' --details show job 7 '*) echo 'JobId=7 JobName=w-0 "
          "JobState=RUNNING NodeList=n1 Nodes=n1 CPU_IDs=0-1 Mem=200';; esac");
  const JobAnswer answer = query();
  BOOST_REQUIRE(answer.jobs.size() == 1u);
  BOOST_TEST(answer.jobs[0].resource.cpu.whole() == 2);
  BOOST_TEST(!fs::exists(path("asked")));
}

BOOST_AUTO_TEST_CASE(from_23_02_on_squeue_describes_a_single_job) {
  install("squeue",
          "case \" $* \" in *' --version '*) echo slurm 23.02.7;; *' --json '*' -j 7 '*) "
          "echo '{\"jobs\": [{\"job_id\": 7}]}';; *) exit 1;; esac");
  BOOST_TEST(query().jobs.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_job_that_left_the_queue_is_described_by_accounting) {
  install("squeue", kNoJob);
  install("sacct", "printf 'JobID|JobName|State|ExitCode\\n7|w|FAILED|3:0\\n'");
  const JobAnswer answer = query();
  BOOST_REQUIRE(answer.jobs.size() == 1u);
  BOOST_TEST(answer.jobs[0].exit_code.value() == 3);
}

BOOST_AUTO_TEST_CASE(an_outage_of_the_database_is_a_problem_and_no_lack_of_accounting) {
  install("squeue", kNoJob);
  for (const char* words :
       {"Problem talking to the database: No route to host", "Sending PersistInit msg: No error"}) {
    install("sacct", "echo 'sacct: error: " + std::string(words) + "' >&2; exit 1");
    BOOST_TEST(query().problem.find(words) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(without_accounting_a_job_that_left_the_queue_is_unknown) {
  install("squeue", kNoJob);
  BOOST_TEST(query().jobs.empty());
  install("sacct", kNoAccounting);
  BOOST_TEST(query().jobs.empty());
}

BOOST_AUTO_TEST_CASE(an_incomplete_answer_is_reported) {
  install("squeue", "printf '{\"jobs\": [{\"job_id\": 7, \"job_sta'");
  BOOST_TEST((failure().code() == Code::kInvalid));
  BOOST_TEST(failure().message().find("squeue --json") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_squeue_is_reported) {
  ::setenv("PATH", path("bin").c_str(), 1);
  const Error error = failure();
  BOOST_TEST((error.code() == Code::kPrecondition));
  BOOST_TEST(error.message() == "squeue is not installed on this host");
  BOOST_TEST(!error.hint().empty());
}

BOOST_AUTO_TEST_CASE(a_job_of_another_cluster_is_described_by_that_cluster) {
  install("squeue", "echo \"squeue: error: No cluster 'west' known by database.\" >&2; exit 1");
  BOOST_CHECK_EXCEPTION(query_any_app(*parse_job_id("7;west"), Call()), Error,
                        [](const Error& error) {
                          return error.message().find("No cluster 'west'") != std::string::npos;
                        });
  install(
      "squeue",
      "case \" $* \" in *' --clusters=west -j 7 '*) echo '{\"jobs\": [{\"job_id\": 7}]}';; esac");
  BOOST_TEST(query_any_app(*parse_job_id("7;west"), Call()).jobs.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_controller_that_is_down_is_temporary) {
  install("squeue",
          "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2;"
          " exit 1");
  BOOST_TEST((failure().code() == Code::kTemporary));
}

// Slurm 22.05 shows STOPPED for a job that ended while Slurm sent SIGSTOP to it.
BOOST_AUTO_TEST_CASE(a_stopped_job_that_squeue_leaves_out_by_default_has_ended) {
  install("scontrol",
          "echo 'JobId=8 ArrayJobId=7 ArrayTaskId=0 JobState=STOPPED Reason=NonZeroExitCode "
          "ExitCode=137:0'; echo 'JobId=7 ArrayJobId=7 ArrayTaskId=1 JobState=STOPPED Reason=None "
          "ExitCode=0:0'");
  install("squeue",
          "case \" $* \" in *' --states=all '*' --user='*) printf "
          "'7_0\\x1fSTOPPED\\x1f\\x1fw\\x1f\\n';;"
          " *' --states=all '*) printf '7_0|STOPPED\\n7_1|STOPPED\\n';;"
          " *) printf '7_1|STOPPED\\n';; esac");
  const JobId id{7, {}};
  const auto states = [](const std::vector<QueueJob>& jobs) {
    StrList out;
    for (const QueueJob& job : jobs) out.push_back(job.states.front());
    return out;
  };
  BOOST_TEST((states(query_own_app(id, Call()).jobs) == StrList{"FAILED", "STOPPED"}));
  BOOST_TEST(query_states({}, {7}, -1).at(7) == "STOPPED");
  JobLists lists;
  query_queue(lists, Call());
  BOOST_TEST((states(lists.queued) == StrList{"FAILED"}));

  install("squeue", "case \" $* \" in *' --states=all '*) printf '7_0|STOPPED\\n';; esac");
  BOOST_TEST((states(query_own_app(id, Call()).jobs) == StrList{"FAILED", "COMPLETED"}));
  BOOST_TEST(query_states({}, {7}, -1).at(7) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
