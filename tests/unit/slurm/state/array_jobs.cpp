#include "plugins/slurm/state/array_jobs.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_lines.hpp"

namespace slipway::slurm::test {

BOOST_AUTO_TEST_SUITE(ArrayJobs)

BOOST_AUTO_TEST_CASE(tasks_of_an_array_are_read_from_ranges_and_a_wrong_range_has_none) {
  const auto expands_to = [](std::string_view text, const std::vector<std::int32_t>& ids) {
    return array_task_ids(text) == ids;
  };
  BOOST_TEST(expands_to("2-3%2", {2, 3}));
  BOOST_TEST(expands_to("1,4-6,9", {1, 4, 5, 6, 9}));
  BOOST_TEST(expands_to("0-10:5", {0, 5, 10}));
  BOOST_TEST(expands_to("7,...", {7}));
  BOOST_TEST(expands_to("0-4000000000", {}));
  BOOST_TEST(expands_to("0-8:0", {}));
  BOOST_TEST(expands_to("3-", {}));
  BOOST_TEST(expands_to("", {}));
}

BOOST_AUTO_TEST_CASE(group_of_waiting_tasks_stands_for_no_other_task) {
  const auto stands_for = [](const char* tasks, std::int32_t id) {
    QueueJob group;
    group.array_tasks = tasks;
    const std::vector<QueueJob> jobs = {group};
    return slurm::ArrayJobs(jobs).task(id) != nullptr;
  };
  for (const char* tasks : {"5-9", "5-9%1"}) {
    BOOST_TEST(!stands_for(tasks, 0));
    BOOST_TEST(stands_for(tasks, 5));
    BOOST_TEST(stands_for(tasks, 9));
  }
  BOOST_TEST(stands_for("0,2,4-6", 2));
  BOOST_TEST(!stands_for("0,2,4-6", 3));
  BOOST_TEST(stands_for("0-9:2", 4));
  BOOST_TEST(!stands_for("0-9:2", 5));
}

BOOST_AUTO_TEST_CASE(group_without_a_list_of_tasks_may_have_each_task) {
  const std::vector<QueueJob> jobs(1);  // Slurm does not say which tasks wait
  BOOST_TEST((slurm::ArrayJobs(jobs).task(0) == &jobs[0]));
  BOOST_TEST((slurm::ArrayJobs(jobs).task(7) == &jobs[0]));
}

BOOST_AUTO_TEST_CASE(shortened_group_may_have_each_task_after_those_that_it_shows) {
  QueueJob own;
  own.array_task = 1;
  QueueJob group;
  for (const char* tasks : {"5,7,...", "5,7,1...%2"}) {
    group.array_tasks = tasks;
    const std::vector<QueueJob> jobs = {own, group};
    const slurm::ArrayJobs array(jobs);
    BOOST_TEST((array.task(0) == nullptr));
    BOOST_TEST((array.task(1) == &jobs[0]));
    BOOST_TEST((array.task(6) == nullptr));
    BOOST_TEST((array.task(7) == &jobs[1]));
    BOOST_TEST((array.task(100) == &jobs[1]));
  }
}

BOOST_AUTO_TEST_CASE(an_array_without_a_record_has_a_replica_for_each_task) {
  const auto jobs = parse_sacct_lines(
      "JobID|JobName|State|ExitCode|Start|End|Comment\n"
      "9_[2-3%2]|w|PENDING|0:0|Unknown|Unknown|[slipway s/x-1]\n"
      "9_1|w|RUNNING|0:0|2026-11-21T20:24:05|Unknown|[slipway s/x-1]\n"
      "9_0|w|FAILED|4:0|2026-11-21T20:24:01|2026-11-21T20:24:09|[slipway s/x-1]\n");
  const Description app = describe_jobs("9", jobs);
  BOOST_REQUIRE(app.roles.size() == 1u);
  BOOST_REQUIRE(app.roles[0].replicas.size() == 4u);
  for (std::int32_t id = 0; id < 4; ++id)
    BOOST_TEST(app.roles[0].replicas[static_cast<std::size_t>(id)].id == id);
  BOOST_TEST((app.state == AppState::kRunning));
  BOOST_TEST(app.started_at.value() == jobs[2].started_at.value());
  BOOST_TEST(!app.finished_at.has_value());
  BOOST_TEST(app.name == "x");
}

BOOST_AUTO_TEST_CASE(role_of_an_array_may_have_a_name_that_ends_with_a_number) {
  const auto jobs = parse_sacct_lines(
      "JobID|JobName|State|ExitCode|Comment\n"
      "9_0|w-1|FAILED|4:0|[slipway s/x-1]\n"
      "9_1|w-1|COMPLETED|0:0|[slipway s/x-1]\n");
  const Description app = describe_jobs("9", jobs);
  BOOST_REQUIRE(app.roles.size() == 1u);
  BOOST_TEST(app.roles[0].role == "w-1");
  BOOST_REQUIRE(app.roles[0].replicas.size() == 2u);
  for (std::int32_t id = 0; id < 2; ++id)
    BOOST_TEST(app.roles[0].replicas[static_cast<std::size_t>(id)].id == id);
  BOOST_TEST((app.state == AppState::kFailed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
