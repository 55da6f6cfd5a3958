#include "plugins/slurm/state/app_description.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "slipway/error.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

QueueJob job_in(std::vector<std::string> states) {
  QueueJob out;
  out.id = 7;
  out.name = "w";
  out.states = std::move(states);
  return out;
}

struct RecordFixture : SlurmFixture {
  RecordFixture() {
    record.app_id = "7";
    record.mark = "s/app-x1";
    record.session = "s";
    record.record_dir = path("state/s/app-x1");
    record.log_dir = record.record_dir;
    record.app = app_of(Role("w").runs("x").replicas(2));
    fs::create_directories(record.record_dir + "/replicas");
  }
  /// Writes the lines that the replica `id` has recorded.
  void record_replica(int id, const std::string& text) const {
    std::ofstream(record.record_dir + "/replicas/w-" + std::to_string(id)) << text;
  }
  /// Writes a file of the app's record.
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(record.record_dir + "/" + name) << text;
  }
  ReplicaStatus replica(const std::vector<QueueJob>& jobs, std::size_t id) const {
    return describe_app(record, jobs).roles.at(0).replicas.at(id);
  }

  JobRecord record;
};

constexpr const char* kStarted = "started=100.25 node=n3 pid=41 attempt=0\n";

BOOST_FIXTURE_TEST_SUITE(AppDescription, RecordFixture)

BOOST_AUTO_TEST_CASE(replicas_end_one_by_one_while_the_job_runs) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=3 attempt=0\n");
  record_replica(1, kStarted);
  const auto failed = replica({job_in({"RUNNING"})}, 0);
  BOOST_TEST((failed.state == AppState::kFailed));
  BOOST_TEST(failed.exit_code.value() == 3);
  BOOST_TEST(failed.hostname == "n3");
  BOOST_TEST(failed.started_at.value() == 100250000000);
  BOOST_TEST(failed.finished_at.value() == 101500000000);
  BOOST_TEST((replica({job_in({"RUNNING"})}, 1).state == AppState::kRunning));
}

// Slurm's times are whole seconds, and a short job starts and ends in the second of its submission.
BOOST_AUTO_TEST_CASE(times_within_a_second_are_in_order) {
  record.submitted_at_ns = 100'700'000'000;
  record_replica(0, "started=100.9 node=n3 pid=41 attempt=0\n");
  QueueJob job = job_in({"FAILED"});
  job.started_at = 100'000'000'000;
  job.finished_at = 100'000'000'000;
  const Description app = describe_app(record, {job});
  BOOST_TEST(app.started_at.value() == record.submitted_at_ns);
  BOOST_TEST(app.finished_at.value() == 100'900'000'000);  // the end of its replica
  BOOST_TEST(app.roles.at(0).replicas.at(0).finished_at.value() == 100'900'000'000);
}

BOOST_AUTO_TEST_CASE(a_start_long_before_the_submission_is_not_corrected) {
  record.submitted_at_ns = 160'000'000'000;
  QueueJob job = job_in({"RUNNING"});
  job.started_at = 100'000'000'000;
  BOOST_TEST(describe_app(record, {job}).started_at.value() == 100'000'000'000);
}

BOOST_AUTO_TEST_CASE(a_replica_without_a_recorded_end_ends_as_its_job) {
  record_replica(0, kStarted);
  const auto reason = [&](const char* state) { return replica({job_in({state})}, 0).reason; };
  BOOST_TEST(reason("TIMEOUT") == "timeout");
  BOOST_TEST(reason("OUT_OF_MEMORY") == "oom");
  BOOST_TEST(reason("NODE_FAIL") == "lost");
  BOOST_TEST(reason("CANCELLED") == "cancelled");
  BOOST_TEST(reason("FAILED") == "lost");
  BOOST_TEST(reason("COMPLETED") == "exit");
}

QueueJob ended_job(std::int32_t component, StepUse step) {
  QueueJob out = job_in({"COMPLETED"});
  out.het_offset = component;
  out.step = step;
  return out;
}

BOOST_AUTO_TEST_CASE(cpu_time_comes_from_the_record_and_memory_from_the_step) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=0 ticks=123 attempt=0\n");
  record_replica(1, kStarted);
  BOOST_TEST(replica({job_in({"COMPLETED"})}, 0).use.cpu_time_ns == 1'230'000'000);
  BOOST_TEST(replica({job_in({"COMPLETED"})}, 0).use.max_rss_bytes == 0);
  BOOST_TEST(replica({job_in({"RUNNING"})}, 1).use.cpu_time_ns == 0);
  // Two tasks, which used this CPU time together; task 1 used the most memory.
  const QueueJob job = ended_job(0, {2, {5'000'000'000, 1 << 20}, 1});
  BOOST_TEST(replica({job}, 0).use.cpu_time_ns == 1'230'000'000);
  BOOST_TEST(replica({job}, 0).use.max_rss_bytes == 0);
  BOOST_TEST(replica({job}, 1).use.cpu_time_ns == 0);
  BOOST_TEST(replica({job}, 1).use.max_rss_bytes == 1 << 20);
}

BOOST_AUTO_TEST_CASE(a_replica_uses_what_the_step_of_its_component_used) {
  const QueueJob first = ended_job(0, {1, {7, 70}, 0});
  const QueueJob second = ended_job(1, {1, {8, 80}, 0});
  record.app = app_of(Role("w").runs("x"));
  record.app.of(Role("v").runs("x"));
  const Description roles = describe_app(record, {first, second});
  BOOST_TEST(roles.roles.at(0).replicas.at(0).use.max_rss_bytes == 70);
  BOOST_TEST(roles.roles.at(1).replicas.at(0).use.max_rss_bytes == 80);
  record.shape = Shape::kReplicas;
  record.app = app_of(Role("w").runs("x").replicas(2));
  BOOST_TEST(replica({first, second}, 1).use.cpu_time_ns == 8);
}

BOOST_AUTO_TEST_CASE(a_signal_is_reported_and_ends_a_replica_of_a_cancelled_job_as_cancelled) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=137 attempt=0\n");
  const auto killed = replica({job_in({"FAILED"})}, 0);
  BOOST_TEST(killed.signal == 9);
  BOOST_TEST(!killed.exit_code.has_value());
  BOOST_TEST(killed.reason == "signal");
  BOOST_TEST((replica({job_in({"CANCELLED"})}, 0).state == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(lines_of_an_earlier_attempt_are_ignored) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=3 attempt=0\n");
  QueueJob job = job_in({"PENDING"});
  job.restarts = 1;
  job.reason = "BeginTime";
  const Description app = describe_app(record, {job});
  BOOST_TEST((app.state == AppState::kPending));
  BOOST_TEST(app.num_restarts == 1);
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kPending));
  BOOST_TEST(app.roles[0].replicas[0].restarts == 1);
}

BOOST_AUTO_TEST_CASE(a_forgotten_job_has_the_state_of_its_result_or_unknown) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=0 attempt=0\n");
  BOOST_TEST((describe_app(record, {}).state == AppState::kUnknown));
  BOOST_TEST(!describe_app(record, {}).msg.empty());
  write("result", "code=0 ended=102\n");
  BOOST_TEST((describe_app(record, {}).state == AppState::kSucceeded));
  write("result", "code=4 ended=102\n");
  BOOST_TEST((describe_app(record, {}).state == AppState::kFailed));
  write("result", "");
  BOOST_TEST((describe_app(record, {}).state == AppState::kUnknown));
}

BOOST_AUTO_TEST_CASE(requeues_that_accounting_lacks_are_counted_from_replica_records) {
  record_replica(0, "started=100 node=n3 pid=41 attempt=2\nended=101 code=0 attempt=2\n");
  BOOST_TEST(describe_app(record, {job_in({"COMPLETED"})}).num_restarts == 2);
  write("result", "code=0 ended=102\n");
  BOOST_TEST(describe_app(record, {}).num_restarts == 2);
}

BOOST_AUTO_TEST_CASE(line_that_an_older_attempt_writes_late_does_not_count) {
  for (const char* line : {"ended=103 code=3 attempt=0\n", "stopped=103 attempt=0\n",
                           "started=99 node=n1 pid=40 attempt=0\n"}) {
    record_replica(0, std::string("started=102 node=n3 pid=41 attempt=1\n") + line);
    const ReplicaStatus now = replica({job_in({"RUNNING"})}, 0);
    BOOST_TEST((now.state == AppState::kRunning), line);
    BOOST_TEST(now.hostname == "n3", line);
    BOOST_TEST(now.started_at.value_or(0) == 102000000000, line);
  }
}

BOOST_AUTO_TEST_CASE(the_first_component_decides_for_a_job_of_several) {
  QueueJob first = job_in({"FAILED"});
  first.het_id = 7;
  QueueJob second = job_in({"CANCELLED"});
  second.id = 8;
  second.het_id = 7;
  second.het_offset = 1;
  BOOST_TEST((describe_app(record, {second, first}).state == AppState::kFailed));
}

BOOST_AUTO_TEST_CASE(each_task_of_an_array_has_its_own_state) {
  record.shape = Shape::kArray;
  record.app = app_of(Role("w").runs("x").replicas(3));
  QueueJob task = job_in({"RUNNING"});
  task.array_id = 7;
  task.array_task = 1;
  QueueJob waiting = job_in({"PENDING"});
  waiting.array_id = 7;
  Description app = describe_app(record, {task, waiting});
  BOOST_TEST((app.state == AppState::kRunning));
  BOOST_TEST((app.roles[0].replicas[2].state == AppState::kPending));
  write("result-0", "code=0 ended=1\n");
  write("result-2", "code=5 ended=1\n");
  task.states = {"COMPLETED"};
  task.step = {1, {7, 70}, 0};
  app = describe_app(record, {task});
  BOOST_TEST(app.roles[0].replicas[1].use.max_rss_bytes == 70);
  BOOST_TEST(app.roles[0].replicas[0].use.max_rss_bytes == 0);
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kSucceeded));
}

BOOST_AUTO_TEST_CASE(task_that_slurm_has_forgotten_has_its_result_while_other_tasks_wait) {
  record.shape = Shape::kArray;
  record.app = app_of(Role("w").runs("x").replicas(3));
  QueueJob waiting = job_in({"PENDING"});
  waiting.array_id = 7;
  waiting.array_tasks = "2%1";
  write("result-0", "code=3 ended=1\n");
  const Description app = describe_app(record, {waiting});
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kFailed));
  BOOST_TEST((app.roles[0].replicas[1].state == AppState::kUnknown));
  BOOST_TEST((app.roles[0].replicas[2].state == AppState::kPending));
  BOOST_TEST(!app.finished_at.has_value());
}

BOOST_AUTO_TEST_CASE(an_array_has_ended_when_slurm_reports_the_end_of_every_task) {
  record.shape = Shape::kArray;
  record.app = app_of(Role("w").runs("x").replicas(1).retries(1));
  record_replica(0, std::string(kStarted) + "ended=101.5 code=3 attempt=0\n");
  QueueJob task = job_in({"RUNNING"});
  task.array_id = 7;
  task.array_task = 0;
  // The replica has failed, and Slurm is about to requeue the task.
  BOOST_TEST((describe_app(record, {task}).state == AppState::kRunning));
  task.states = {"FAILED"};
  BOOST_TEST((describe_app(record, {task}).state == AppState::kFailed));
}

/// An array of two tasks, whose replicas ran at different times.
struct ArrayTimes : RecordFixture {
  ArrayTimes() {
    record.shape = Shape::kArray;
    record.submitted_at_ns = 100'700'000'000;
    record_replica(0, "started=102.5 node=n1 pid=41 attempt=0\nended=107.5 code=0 attempt=0\n");
    record_replica(1, "started=101.25 node=n2 pid=42 attempt=0\nended=104.75 code=0 attempt=0\n");
  }
  static QueueJob task(std::int32_t number, const char* state, TimeNs end) {
    QueueJob out = job_in({state});
    out.id = 7 + number;
    out.array_id = 7;
    out.array_task = number;
    out.started_at = 101'000'000'000;
    out.finished_at = end;
    return out;
  }
  void check_times(const std::vector<QueueJob>& jobs, TimeNs end) const {
    const Description app = describe_app(record, jobs);
    BOOST_TEST((app.state == AppState::kSucceeded));
    BOOST_TEST(app.submitted_at.value() == 100'700'000'000);
    BOOST_TEST(app.started_at.value() == 101'250'000'000);
    BOOST_TEST(app.finished_at.value() == end.value());
    for (const ReplicaStatus& one : app.roles.at(0).replicas) {
      BOOST_TEST(*app.started_at <= *one.started_at);
      BOOST_TEST(*one.started_at <= *one.finished_at);
      BOOST_TEST(*one.finished_at <= *app.finished_at);
    }
  }
};

BOOST_FIXTURE_TEST_CASE(an_array_ends_with_its_last_task_and_no_earlier_than_its_replicas,
                        ArrayTimes) {
  // Slurm's times are whole seconds.
  check_times({task(0, "COMPLETED", 107'000'000'000), task(1, "COMPLETED", 104'000'000'000)},
              107'500'000'000);
  check_times({task(0, "COMPLETED", 108'000'000'000), task(1, "COMPLETED", 105'000'000'000)},
              108'000'000'000);
}

BOOST_FIXTURE_TEST_CASE(an_array_of_which_a_task_runs_has_a_start_and_no_end, ArrayTimes) {
  record_replica(0, "started=102.5 node=n1 pid=41 attempt=0\n");
  const Description app = describe_app(
      record, {task(0, "RUNNING", std::nullopt), task(1, "COMPLETED", 105'000'000'000)});
  BOOST_TEST(app.started_at.value() == 101'250'000'000);
  BOOST_TEST(!app.finished_at.has_value());
  BOOST_TEST(app.roles.at(0).replicas.at(1).finished_at.value() == 104'750'000'000);
}

BOOST_FIXTURE_TEST_CASE(an_array_that_slurm_has_forgotten_keeps_its_times, ArrayTimes) {
  write("result-0", "code=0 ended=107.75\n");
  write("result-1", "code=0 ended=105.0\n");
  check_times({}, 107'750'000'000);
  // Slurm forgets the task that ended first before the other one.
  check_times({task(0, "COMPLETED", 107'000'000'000)}, 107'500'000'000);
}

BOOST_AUTO_TEST_CASE(a_forgotten_job_starts_with_its_first_replica) {
  record_replica(0, "started=102.5 node=n1 pid=41 attempt=0\nended=103.5 code=0 attempt=0\n");
  record_replica(1, "started=101.5 node=n1 pid=41 attempt=0\nended=104.5 code=0 attempt=0\n");
  BOOST_TEST(describe_app(record, {}).started_at.value() == 101'500'000'000);
  write("result", "code=0 ended=104.0\n");
  const Description app = describe_app(record, {});
  BOOST_TEST(app.started_at.value() == 101'500'000'000);
  BOOST_TEST(app.finished_at.value() == 104'500'000'000);
}

BOOST_AUTO_TEST_CASE(a_replica_that_never_ran_is_lost_even_if_the_job_succeeded) {
  record_replica(0, std::string(kStarted) + "ended=101.5 code=0 attempt=0\n");
  BOOST_TEST((replica({job_in({"COMPLETED"})}, 0).state == AppState::kSucceeded));
  BOOST_TEST((replica({job_in({"COMPLETED"})}, 1).state == AppState::kFailed));
  BOOST_TEST(replica({job_in({"COMPLETED"})}, 1).reason == "lost");
}

BOOST_AUTO_TEST_CASE(a_failure_that_only_the_job_output_explains_is_in_the_message) {
  std::ofstream(record.record_dir + "/job.out") << "one\ntwo\n\nsrun: error: no such device\n";
  const Description app = describe_app(record, {job_in({"FAILED"})});
  BOOST_TEST(app.msg.find("srun: error: no such device") != std::string::npos);
  record_replica(0, std::string(kStarted) + "ended=101.5 code=3 attempt=0\n");
  BOOST_TEST(describe_app(record, {job_in({"FAILED"})}).msg.find("srun") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(memory_that_slurmstepd_enforces_is_the_reason) {
  record_replica(0, kStarted);
  record_replica(1, std::string(kStarted) + "ended=101.5 code=0 attempt=0\n");
  write("job.out", "slurmstepd: error: Step 7.0 exceeded memory limit (400 > 100), being killed\n");
  const Description app = describe_app(record, {job_in({"FAILED"})});
  BOOST_TEST(app.roles.at(0).replicas.at(0).reason == "oom");
  BOOST_TEST((app.roles.at(0).replicas.at(1).state == AppState::kSucceeded));
}

BOOST_AUTO_TEST_CASE(the_output_of_the_first_failed_task_of_an_array_is_quoted) {
  record.shape = Shape::kArray;
  std::vector<QueueJob> jobs = {job_in({"COMPLETED"}), job_in({"FAILED"})};
  for (int task = 0; task < 2; ++task) jobs[static_cast<std::size_t>(task)].array_task = task;
  record_replica(0, std::string(kStarted) + "ended=101.5 code=0 attempt=0\n");
  record_replica(1, std::string(kStarted) + "ended=101.5 code=127 attempt=0\n");
  write("job-0.out", "a warning of srun\n");
  write("job-1.out", "slipway: w/1: x is not found\n");
  BOOST_TEST(describe_app(record, jobs).msg == "job-1.out: slipway: w/1: x is not found");
  record_replica(1, std::string(kStarted) + "ended=101.5 code=3 attempt=0\n");
  BOOST_TEST(describe_app(record, jobs).msg == "");
}

BOOST_AUTO_TEST_CASE(
    app_that_was_cancelled_before_slurm_answered_is_cancelled_unless_its_job_says_otherwise) {
  write("cancelled", "cancelled=100.25\n");
  for (const bool is_array : {false, true}) {
    record.shape = is_array ? Shape::kArray : Shape::kRoles;
    for (const char* id : {"", "7"}) {  // "7": the submission was answered later
      record.app_id = id;
      const Description app = describe_app(record, {});
      BOOST_TEST((app.state == AppState::kCancelled));
      BOOST_TEST(app.finished_at.value() == 100250000000);
      BOOST_TEST((app.roles.at(0).replicas.at(0).state == AppState::kCancelled));
      BOOST_TEST(app.msg.find("before Slurm answered") != std::string::npos);
    }
  }
  record.shape = Shape::kRoles;
  BOOST_TEST((describe_app(record, {job_in({"RUNNING"})}).state == AppState::kRunning));
  write("result", "code=0 ended=101.5\n");
  BOOST_TEST((describe_app(record, {}).state == AppState::kSucceeded));
}

BOOST_AUTO_TEST_CASE(an_app_with_an_unanswered_submission_is_unknown_and_is_over_an_hour_later) {
  record.app_id.clear();
  record.submitted_at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  Description app = describe_app(record, {});
  BOOST_TEST((app.state == AppState::kUnknown));
  BOOST_TEST(!is_over(app));
  BOOST_TEST(app.msg.find("did not answer") != std::string::npos);
  record.submitted_at_ns -= 3'600'000'000'000;
  BOOST_TEST(is_over(describe_app(record, {})));
}

BOOST_AUTO_TEST_CASE(a_record_is_found_by_mark_and_by_id) {
  const std::string root = path("state");
  write_record(root, record, /*keeps_draft_name=*/false);
  BOOST_TEST(record_of_id(root, "7")->mark == "s/app-x1");
  BOOST_TEST(record_of_mark(root, "s/app-x1")->app.roles[0].num_replicas == 2);
  BOOST_TEST(!record_of_id(root, "8").has_value());
  BOOST_TEST(mark_of_id(root, "7") == "s/app-x1");
  BOOST_TEST(mark_of_id(root, "8") == "");
  BOOST_TEST(mark_of_id(root, "../7") == "");
  BOOST_TEST(!record_of_mark(root, "../x").has_value());
  BOOST_TEST(!record_of_mark(root, "s/../../x").has_value());
  write("job.json", "{");
  BOOST_CHECK_EXCEPTION(record_of_id(root, "7"), Error,
                        [](const Error& error) { return error.code() == Code::kInvalid; });
}

BOOST_AUTO_TEST_CASE(a_deleted_record_stays_deleted_until_its_id_is_used_again) {
  const std::string root = path("state");
  write_record(root, record, /*keeps_draft_name=*/false);
  const JobRecord stored = *record_of_id(root, "7");
  BOOST_TEST(!is_forgotten(root, "7", ""));
  forget_record(root, stored);
  BOOST_TEST(!record_of_id(root, "7").has_value());
  BOOST_TEST(mark_of_id(root, "7") == "");
  BOOST_TEST(is_forgotten(root, "7", ""));
  BOOST_TEST(is_forgotten(root, "7", stored.mark));
  BOOST_TEST(!is_forgotten(root, "7", "s/app-x2"));
  BOOST_TEST(!is_forgotten(root, "8", ""));
  std::filesystem::create_directories(stored.record_dir);
  write_record(root, stored, /*keeps_draft_name=*/false);
  BOOST_TEST(!is_forgotten(root, "7", ""));
}

BOOST_AUTO_TEST_CASE(a_list_has_one_item_for_each_app) {
  QueueJob het = job_in({"RUNNING"});
  het.het_id = 7;
  het.comment = "[slipway mine/train-ab-c1]";
  QueueJob follower = het;
  follower.id = 8;
  follower.het_offset = 1;
  QueueJob task = job_in({"COMPLETED"});
  task.id = 10;
  task.array_id = 9;
  task.array_task = 0;
  QueueJob other_task = task;
  other_task.id = 11;
  other_task.array_task = 1;
  other_task.states = {"PENDING"};
  const auto apps = list_apps({het, follower, task, other_task});
  BOOST_REQUIRE(apps.size() == 2u);
  BOOST_TEST(apps[0].app_id == "7");
  BOOST_TEST(apps[0].name == "train-ab");
  BOOST_TEST(apps[0].session == "mine");
  BOOST_TEST(apps[1].app_id == "9");
  BOOST_TEST((apps[1].state == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(the_first_component_decides_the_name_and_the_state_of_an_item) {
  QueueJob first = job_in({"RUNNING"});  // with the id that lines of squeue have: all components' 7
  first.het_id = 7;
  QueueJob second = first;
  second.het_offset = 1;
  second.name = "v";
  second.states = {"COMPLETED"};
  QueueJob third = second;
  third.het_offset = 2;
  for (const auto& jobs : {std::vector{first, second, third}, std::vector{third, second, first}}) {
    const auto apps = list_apps(jobs);
    BOOST_REQUIRE(apps.size() == 1u);
    BOOST_TEST(apps[0].name == "w");
    BOOST_TEST((apps[0].state == AppState::kRunning));
  }
  BOOST_TEST(list_apps({third, second}).size() == 1u);  // Slurm has forgotten the first one
}

BOOST_AUTO_TEST_CASE(without_a_record_the_mark_shows_that_a_component_is_a_role) {
  QueueJob job = job_in({"RUNNING"});
  job.tasks = 3;
  BOOST_CHECK_THROW(describe_jobs("7", {job}), Error);
  job.comment = "[slipway s/app-x1]";
  BOOST_TEST(describe_jobs("7", {job}).roles.at(0).replicas.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
