// Tests the detection of changes of jobs. A stand-in for squeue prints a file and records its
// calls.
#include "plugins/slurm/watch/queue_watch.hpp"

#include <poll.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <thread>

#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

using Watch = std::shared_ptr<QueueWatch>;
using Subscription = std::unique_ptr<QueueWatch::Subscription>;

constexpr int kLongMs = 60000;
/// A tenth of the default pauses.
constexpr QueryPauses kQuick{std::chrono::milliseconds(100), std::chrono::milliseconds(3000),
                             std::chrono::milliseconds(25)};
/// Pauses during which no query comes by the clock alone.
constexpr QueryPauses kTooLong{std::chrono::hours(1), std::chrono::hours(1),
                               std::chrono::milliseconds(25)};

struct WatchFixture : SlurmFixture {
  WatchFixture() {
    install("squeue", "echo \"$*\" >>" + path("calls") + "; cat " + path("queue"));
    fs::create_directories(path("record/replicas"));
  }

  void queue(const std::string& rows) const {
    std::ofstream(path("queue.new")) << rows;
    fs::rename(path("queue.new"), path("queue"));
  }
  std::string calls() const { return contents(path("calls")); }
  std::ptrdiff_t count() const {
    const std::string text = calls();
    return std::count(text.begin(), text.end(), '\n');
  }
  /// Waits until squeue was called that many times in total.
  void until_count(std::ptrdiff_t calls) const {
    for (int i = 0; i < 6000 && count() < calls; ++i) ::usleep(10000);
    BOOST_REQUIRE(count() >= calls);
  }
  Watch watch() const { return std::make_shared<QueueWatch>(path("state"), "", kQuick); }
  static bool becomes_readable(const Subscription& job) {
    pollfd fd{job->fd(), POLLIN, 0};
    return ::poll(&fd, 1, kLongMs) == 1;
  }
  /// Accepts the first answer, a change for a subscriber that has not described the app.
  static void pass_first(const Subscription& job) {
    BOOST_REQUIRE(becomes_readable(job));
    job->drain();
  }
};

BOOST_FIXTURE_TEST_SUITE(QueueWatching, WatchFixture)

BOOST_AUTO_TEST_CASE(only_a_new_state_is_reported) {
  queue("7|RUNNING\n");
  const Subscription job = watch()->subscribe(7, "");
  pass_first(job);
  until_count(3);
  BOOST_TEST(!job->is_raised());
  queue("7|COMPLETING\n");
  BOOST_TEST(becomes_readable(job));
}

BOOST_AUTO_TEST_CASE(a_state_that_was_described_is_not_reported) {
  queue("7|RUNNING\n8|RUNNING\n");
  const Watch both = watch();
  const Subscription known = both->subscribe(7, "");
  const Subscription unreported = both->subscribe(8, "");
  both->described(7, AppState::kRunning);
  both->described(8, AppState::kPending);
  BOOST_TEST(becomes_readable(unreported));
  BOOST_TEST(!known->is_raised());
}

BOOST_AUTO_TEST_CASE(an_end_is_reported_until_the_subscriber_leaves) {
  for (const char* rows : {"7|COMPLETED\n", "7_0|FAILED\n7_1|COMPLETED\n", ""}) {
    queue(rows);
    const Subscription job = watch()->subscribe(7, "");
    pass_first(job);
    BOOST_TEST(becomes_readable(job), rows);
  }
}

BOOST_AUTO_TEST_CASE(an_array_with_a_running_task_has_not_ended) {
  queue("7_[2-9]|PENDING\n7_0|FAILED\n7_1|COMPLETED\n");
  const Subscription job = watch()->subscribe(7, "");
  pass_first(job);
  until_count(3);
  BOOST_TEST(!job->is_raised());
  queue("7_0|FAILED\n7_1|COMPLETED\n7_2|COMPLETED\n");
  BOOST_TEST(becomes_readable(job));
}

BOOST_AUTO_TEST_CASE(a_query_names_a_single_job_by_its_id_and_several_by_their_user) {
  queue("7|RUNNING\n8|RUNNING\n");
  const Watch both = watch();
  const Subscription first = both->subscribe(7, "");
  pass_first(first);
  BOOST_TEST(calls().find("--jobs=7") != std::string::npos);
  BOOST_TEST(calls().find("--user=") == std::string::npos);
  const Subscription second = both->subscribe(8, "");
  pass_first(second);
  BOOST_TEST(calls().find("--user=") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(several_watches_query_about_as_often_as_one) {
  std::string rows;
  for (int job = 1; job <= 8; ++job) rows += std::to_string(job) + "|RUNNING\n";
  queue(rows);
  // The time in which one watch makes this many queries; a loaded machine needs longer.
  constexpr std::ptrdiff_t kAlone = 5;
  const auto start = std::chrono::steady_clock::now();
  {
    const Subscription job = watch()->subscribe(1, "");
    pass_first(job);
    until_count(kAlone);
  }
  const auto span = std::chrono::steady_clock::now() - start;
  const auto alone = count();
  std::vector<Subscription> jobs;
  for (int job = 1; job <= 8; ++job) jobs.push_back(watch()->subscribe(job, ""));
  for (const Subscription& job : jobs) pass_first(job);
  std::this_thread::sleep_for(span);
  // Eight watches that shared no answers would make eight times as many queries.
  BOOST_TEST(count() - alone <= 2 * alone + 2);
}

BOOST_AUTO_TEST_CASE(a_query_that_fails_is_not_repeated_before_the_subscriber_reads_the_app) {
  install("squeue", "echo x >>" + path("calls") + "; echo 'Connection refused' >&2; exit 1");
  const Subscription job = watch()->subscribe(7, "");
  BOOST_TEST(becomes_readable(job));
  const auto asked = count();
  ::usleep(1000000);  // ten times the first pause
  BOOST_TEST(count() == asked);
  job->drain();
  BOOST_TEST(becomes_readable(job));
  BOOST_TEST(count() > asked);
}

BOOST_AUTO_TEST_CASE(an_end_in_the_record_causes_an_early_query) {
  queue("7|COMPLETED\n");
  const auto slow = std::make_shared<QueueWatch>(path("state"), "", kTooLong);
  // With a directory of its own, so that it does not get the answer of the other watch.
  const auto apart = std::make_shared<QueueWatch>(path("elsewhere"), "", kTooLong);
  const Subscription by_timer = apart->subscribe(7, "");
  const Subscription by_record = slow->subscribe(7, path("record"));
  std::ofstream(path("record/result")) << "code=0\n";
  BOOST_TEST(becomes_readable(by_record));
  BOOST_TEST(!by_timer->is_raised());
}

BOOST_AUTO_TEST_CASE(a_watch_ends_while_squeue_hangs) {
  install("squeue", "echo x >>" + path("calls") + "; exec sleep 600");
  Subscription job = watch()->subscribe(7, "");
  until_count(1);
  job.reset();
  BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(no_query_names_jobs_of_a_killed_process) {
  queue("7|RUNNING\n");
  const Watch own = watch();
  const Subscription job = own->subscribe(7, "");
  // The directory in which the processes of a user say which jobs they wait for.
  const fs::path board = fs::directory_iterator(path("state/queue"))->path();
  std::ofstream(board / "wanted" / "killed") << "99\n";
  pass_first(job);
  BOOST_TEST(calls().find("--user=") == std::string::npos);
  BOOST_TEST(!fs::exists(board / "wanted" / "killed"));
}

BOOST_AUTO_TEST_CASE(a_job_without_an_id_is_reported_changed_without_a_query) {
  const Subscription job = watch()->subscribe(0, "");
  pass_first(job);
  pass_first(job);
  BOOST_TEST(calls() == "");
}

BOOST_AUTO_TEST_CASE(a_record_stays_watched_when_another_subscription_to_it_ends) {
  queue("7|COMPLETED\n");
  const auto slow = std::make_shared<QueueWatch>(path("state"), "", kTooLong);
  const Subscription stays = slow->subscribe(7, path("record"));
  { const Subscription leaves = slow->subscribe(7, path("record")); }
  std::ofstream(path("record/result")) << "code=0\n";
  BOOST_TEST(becomes_readable(stays));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
