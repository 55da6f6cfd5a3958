// Answers of squeue --json in the shapes of several versions.
#include "plugins/slurm/state/squeue_json.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "slipway/error.hpp"
#include "tests/unit/time_ratio.hpp"

namespace slipway::slurm::test {
namespace {

// openapi v0.0.38: plain numbers, one word for a state, no job_resources while pending. The exit
// code is a status of waitpid(): 1280 is 5 << 8, and 9 is a signal.
constexpr const char* kSlurm2205 = R"({"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [],
 "jobs": [
 {"job_id": 1, "array_job_id": 0, "array_task_id": null, "array_task_string": "", "het_job_id": 1,
  "het_job_offset": 0, "name": "trainer", "job_state": "FAILED", "state_reason": "NonZeroExitCode",
  "nodes": "n1", "exit_code": 1280, "restart_cnt": 2, "submit_time": 1795292640,
  "start_time": 1795292641, "end_time": 1795292643, "command": "/x/job.sh", "comment": "mark",
  "current_working_directory": "/w", "user_name": "ada", "tasks": 3,
  "job_resources": {"nodes": "n1", "allocated_nodes": [
    {"nodename": "n1", "cpus_used": 4, "memory_used": 0, "memory_allocated": 2000}]}},
 {"job_id": 3, "array_job_id": 3, "array_task_id": null, "array_task_string": "2-3%2",
  "het_job_id": 0, "name": "arr", "job_state": "PENDING", "state_reason": "JobArrayTaskLimit",
  "nodes": "", "exit_code": 0, "start_time": 0},
 {"job_id": 7, "array_job_id": 3, "array_task_id": 0, "array_task_string": "", "het_job_id": 0,
  "name": "arr", "job_state": "RUNNING", "nodes": "n1", "exit_code": 9}]})";

// data_parser v0.0.42: wrapped numbers, states with flags, an object for the exit code.
constexpr const char* kSlurm2411 = R"({"jobs": [
 {"job_id": 12, "array_job_id": {"set": true, "infinite": false, "number": 0},
  "array_task_id": {"set": false, "infinite": false, "number": 0},
  "het_job_id": {"set": true, "infinite": false, "number": 12},
  "het_job_offset": {"set": true, "infinite": false, "number": 0},
  "name": "trainer", "job_state": ["FAILED", "COMPLETING"], "state_reason": "RaisedSignal",
  "nodes": "n[1-2]", "restart_cnt": 0, "submit_time": {"set": true, "infinite": false, "number": 1795292640},
  "end_time": {"set": false, "infinite": true, "number": 0},
  "exit_code": {"status": ["SIGNALED"], "return_code": {"set": false, "infinite": false, "number": 0},
                "signal": {"id": {"set": true, "infinite": false, "number": 9}, "name": "Killed"}},
  "tasks": {"set": true, "infinite": false, "number": 4},
  "job_resources": {"nodes": {"count": 2, "list": "n[1-2]", "allocation": [
    {"name": "n1", "cpus": {"count": 4, "used": 2}, "memory": {"used": 0, "allocated": 1024}},
    {"name": "n2", "cpus": {"count": 4, "used": 3}, "memory": {"used": 0, "allocated": 2048}}]}}}]})";

// openapi v0.0.37 of 21.08: nodes by number.
constexpr const char* kSlurm2108 = R"({"meta": {"Slurm": {"release": "21.08.8-2"}}, "errors": [],
 "jobs": [{"job_id": 5, "array_job_id": 0, "array_task_id": null, "array_task_string": "",
  "het_job_id": 0, "name": "w", "job_state": "TIMEOUT", "state_reason": "TimeLimit", "nodes": "n4",
  "exit_code": 15, "restart_cnt": 0, "submit_time": 1795292640, "start_time": 1795292641,
  "end_time": 1795292701, "comment": "a, \"b\" [slipway s/x-1]", "user_name": "ada", "tasks": 1,
  "job_resources": {"nodes": "n4", "allocated_hosts": 1, "allocated_nodes": {
    "0": {"sockets": {"0": "assigned"}, "cores": {"0": "assigned"}, "memory": 0, "cpus": 2}}}}]})";

// data_parser v0.0.39 of 23.02: wrapped numbers, a state still without flags beside it.
constexpr const char* kSlurm2302 = R"({"meta": {"plugins": {"data_parser": "v0.0.39"}},
 "errors": [], "warnings": [], "jobs": [
 {"job_id": 21, "array_job_id": {"set": true, "infinite": false, "number": 20},
  "array_task_id": {"set": true, "infinite": false, "number": 3}, "array_task_string": "",
  "het_job_id": {"set": true, "infinite": false, "number": 0}, "name": "w",
  "job_state": "OUT_OF_MEMORY", "state_reason": "OutOfMemory", "nodes": "n2", "restart_cnt": 1,
  "exit_code": {"set": true, "infinite": false, "number": 32000},
  "submit_time": 1795292640, "start_time": 1795292641, "end_time": 1795292643,
  "tasks": {"set": true, "infinite": false, "number": 1},
  "job_resources": {"nodes": "n2", "allocated_cores": 1}}]})";

// data_parser v0.0.40 of 23.11: states are lists, signals have an `id`.
constexpr const char* kSlurm2311 = R"({"jobs": [
 {"job_id": 31, "array_job_id": {"set": true, "infinite": false, "number": 0},
  "array_task_id": {"set": false, "infinite": false, "number": 0},
  "het_job_id": {"set": true, "infinite": false, "number": 30},
  "het_job_offset": {"set": true, "infinite": false, "number": 1}, "name": "ps",
  "job_state": ["CANCELLED"], "state_reason": "None", "nodes": "",
  "exit_code": {"status": ["SIGNALED"],
    "return_code": {"set": true, "infinite": false, "number": 0},
    "signal": {"id": {"set": true, "infinite": false, "number": 15}, "name": "Terminated"}},
  "start_time": {"set": true, "infinite": false, "number": 0}}],
  "last_backfill": {"set": true, "infinite": false, "number": 1}, "warnings": [], "errors": []})";

bool is_malformed(const Error& error) { return error.code() == Code::kInvalid; }

}  // namespace

BOOST_AUTO_TEST_SUITE(SqueueJson)

BOOST_AUTO_TEST_CASE(reads_squeue_of_22_05) {
  const auto jobs = parse_squeue_json(kSlurm2205);
  BOOST_REQUIRE(jobs.size() == 3u);
  const QueueJob& het = jobs[0];
  BOOST_TEST(het.app_id() == 1);
  BOOST_TEST(het.exit_code.value() == 5);
  BOOST_TEST(het.restarts.value() == 2);
  BOOST_TEST(het.tasks == 3);
  BOOST_TEST(het.nodes == "n1");
  BOOST_TEST(het.resource.cpu.whole() == 4);
  BOOST_TEST(het.resource.mem_mb == 2000);
  BOOST_TEST(het.started_at.value() == 1795292641000000000);
  BOOST_TEST(!het.array_task.has_value());
  BOOST_TEST(jobs[1].app_id() == 3);
  BOOST_TEST(!jobs[1].array_task.has_value());
  BOOST_TEST(!jobs[1].started_at.has_value());
  BOOST_TEST(jobs[2].app_id() == 3);
  BOOST_TEST(jobs[2].array_task.value() == 0);
  BOOST_TEST(jobs[2].signal == 9);
  BOOST_TEST(!jobs[2].exit_code.has_value());
}

BOOST_AUTO_TEST_CASE(reads_squeue_of_21_08) {
  const auto jobs = parse_squeue_json(kSlurm2108);
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].nodes == "n4");
  BOOST_TEST(jobs[0].signal == 15);
  BOOST_TEST(!jobs[0].exit_code.has_value());
  BOOST_TEST(jobs[0].comment == "a, \"b\" [slipway s/x-1]");
  BOOST_TEST((state_with_flags(jobs[0].states) == AppState::kFailed));
  BOOST_TEST(end_reason(jobs[0].states) == "timeout");
}

BOOST_AUTO_TEST_CASE(reads_squeue_of_23_02) {
  const auto jobs = parse_squeue_json(kSlurm2302);
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].app_id() == 20);
  BOOST_TEST(jobs[0].array_task.value() == 3);
  BOOST_TEST(jobs[0].restarts.value() == 1);
  BOOST_TEST(jobs[0].exit_code.value() == 125);
  BOOST_TEST(jobs[0].started_at.value() == 1795292641000000000);
  BOOST_TEST(jobs[0].nodes == "n2");
  BOOST_TEST(end_reason(jobs[0].states) == "oom");
}

BOOST_AUTO_TEST_CASE(reads_squeue_of_23_11) {
  const auto jobs = parse_squeue_json(kSlurm2311);
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].app_id() == 30);
  BOOST_TEST(jobs[0].het_offset == 1);
  BOOST_TEST(jobs[0].signal == 15);
  BOOST_TEST(!jobs[0].started_at.has_value());
  BOOST_TEST((state_with_flags(jobs[0].states) == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(cpus_of_a_job_whose_hosts_report_none_come_from_the_job) {
  // A running job in data_parser v0.0.40.
  const auto jobs = parse_squeue_json(R"({"jobs": [{"job_id": 4, "job_state": ["RUNNING"],
      "cpus": {"set": true, "infinite": false, "number": 4},
      "job_resources": {"nodes": "n[1-2]", "allocated_cpus": 0, "allocated_nodes": [
        {"nodename": "n1", "cpus_used": 0, "memory_used": 0, "memory_allocated": 200},
        {"nodename": "n2", "cpus_used": 0, "memory_used": 0, "memory_allocated": 200}]}}]})");
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].resource.cpu.whole() == 2);
  BOOST_TEST(jobs[0].resource.mem_mb == 200);
  BOOST_TEST(jobs[0].nodes == "n1,n2");
}

BOOST_AUTO_TEST_CASE(reads_squeue_of_24_11) {
  const auto jobs = parse_squeue_json(kSlurm2411);
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].het_id == 12);
  BOOST_TEST(jobs[0].array_id == 0);
  BOOST_TEST(!jobs[0].array_task.has_value());
  BOOST_TEST(jobs[0].signal == 9);
  BOOST_TEST(jobs[0].tasks == 4);
  BOOST_TEST(jobs[0].nodes == "n1,n2");
  BOOST_TEST(jobs[0].resource.mem_mb == 2048);  // the share of the last host, as in TorchX
  BOOST_TEST(jobs[0].resource.cpu.whole() == 4);
  BOOST_TEST(!jobs[0].finished_at.has_value());
  BOOST_TEST((first_known_state(jobs[0].states) == AppState::kFailed));
  BOOST_TEST((state_with_flags(jobs[0].states) == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(the_number_of_a_signal_may_have_the_name_signal_id) {
  const auto jobs = parse_squeue_json(R"({"jobs": [{"job_id": 4, "job_state": ["FAILED"],
      "exit_code": {"return_code": 0, "signal": {"signal_id": 9}}}]})");
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].signal == 9);
  BOOST_TEST(!jobs[0].exit_code.has_value());
}

BOOST_AUTO_TEST_CASE(an_incomplete_answer_is_an_error) {
  const std::string whole = kSlurm2205;
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7)
    BOOST_CHECK_EXCEPTION(parse_squeue_json(whole.substr(0, size)), Error, is_malformed);
  BOOST_CHECK_EXCEPTION(parse_squeue_json("slurm_load_jobs error"), Error, is_malformed);
}

BOOST_AUTO_TEST_CASE(errors_in_the_place_of_jobs_are_temporary_except_an_invalid_job_id) {
  // The answer of squeue 22.05 if no controller answers; its exit status is 0.
  BOOST_CHECK_EXCEPTION(
      parse_squeue_json(R"({"errors": [{"description": "Failed while looking for jobs",
        "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"}],
        "jobs": []})"),
      Error, [](const Error& error) { return error.code() == Code::kTemporary; });
  BOOST_TEST(parse_squeue_json(R"({"jobs": [], "errors": [{"error": "Invalid job id specified"}]})")
                 .empty());
}

BOOST_AUTO_TEST_CASE(members_of_unexpected_types_are_ignored) {
  const auto jobs = parse_squeue_json(
      R"({"jobs": [7, {"job_id": "x", "job_state": 3, "nodes": {}, "exit_code": "a", "job_resources": []}]})");
  BOOST_REQUIRE(jobs.size() == 1u);
  BOOST_TEST(jobs[0].id == 0);
  BOOST_TEST(jobs[0].states.empty());
}

BOOST_AUTO_TEST_CASE(ten_thousand_jobs_take_at_most_twice_the_time_of_reading_the_json) {
  std::string jobs = kSlurm2411;
  jobs = jobs.substr(jobs.find('[') + 1);
  jobs.resize(jobs.size() - 2);
  std::string text = "{\"jobs\": [" + jobs;
  for (int i = 1; i < 10000; ++i) text += "," + jobs;
  text += "]}";
#ifdef __SANITIZE_THREAD__
  constexpr double kMost = 10;  // ThreadSanitizer slows this code down, and not Boost's library
#else
  constexpr double kMost = 2;
#endif
  const double ratio =
      slipway::test::time_ratio([&] { BOOST_TEST(parse_squeue_json(text).size() == 10000u); },
                                [&] { boost::json::parse(text); }, kMost);
  BOOST_TEST(ratio < kMost);
}

BOOST_AUTO_TEST_CASE(an_elastic_job_of_torchx_has_a_replica_on_each_of_its_hosts) {
  const auto jobs = parse_squeue_json(R"({"jobs": [{"job_id": 12, "name": "trainer-0",
      "job_state": ["RUNNING"], "job_resources": {"nodes": {"allocation": [
        {"name": "n1", "cpus": {"used": 4}}, {"name": "n2", "cpus": {"used": 4}},
        {"name": "n3", "cpus": {"used": 4}}]}}}]})");
  const Description app = describe_jobs("12", jobs);
  BOOST_REQUIRE(app.roles.size() == 1u);
  BOOST_REQUIRE(app.roles[0].replicas.size() == 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(app.roles[0].replicas[i].id == static_cast<std::int32_t>(i));
    BOOST_TEST(app.roles[0].replicas[i].hostname == "n" + std::to_string(i + 1));
  }
  BOOST_TEST(app.app->roles.at(0).num_replicas == 3);
}

BOOST_AUTO_TEST_CASE(a_job_whose_name_has_no_role_is_refused) {
  const auto jobs =
      parse_squeue_json(R"({"jobs": [{"job_id": 12, "name": "-0", "job_state": ["RUNNING"]}]})");
  BOOST_CHECK_THROW(describe_jobs("12", jobs), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
