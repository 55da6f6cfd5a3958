#include <signal.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "plugins/local/engine/clocks.hpp"
#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

bool all_running(const AppSnapshot& app) {
  for (const auto& role : app.roles) {
    for (const auto& replica : role.replicas) {
      if (replica.state != AppState::kRunning) return false;
    }
  }
  return true;
}

struct CancelFixture : AppFixture {
  void launch_and_wait(const LaunchPlan& plan, int owner_fd = -1) const {
    launch(plan, owner_fd);
    wait_until(plan.app_id, all_running);
  }
  /// Waits until the first replica has written a line.
  void wait_for_line(const std::string& app_id) const {
    eventually("the replica writes a line",
               [&] { return !slurp(path(app_id) + "/logs/w/0/stdout.log").empty(); });
  }
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorCancel, CancelFixture)

BOOST_AUTO_TEST_CASE(terminates_replicas_and_records_their_signal) {
  launch_and_wait(shell("app-1", 3, "exec sleep 1000"));
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/false);
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.state == AppState::kCancelled));
  BOOST_TEST(app.cancel_requested);
  for (const auto& replica : app.roles[0].replicas) {
    BOOST_TEST((replica.state == AppState::kCancelled));
    BOOST_TEST((replica.reason == Reason::kCancelled));
    BOOST_TEST((replica.signal == 15));
  }
}

BOOST_AUTO_TEST_CASE(keeps_the_exit_code_of_a_replica_that_traps_sigterm) {
  launch(shell("app-1", 1, "trap 'exit 9' TERM; echo ready; while :; do :; done"));
  wait_for_line("app-1");
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/false);
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kCancelled));
  BOOST_TEST((app.roles[0].replicas[0].exit_code == 9));
}

BOOST_AUTO_TEST_CASE(kills_replicas_and_their_daemons_that_ignore_sigterm) {
  launch(shell("app-1", 1,
               "trap '' TERM; (setsid sh -c 'echo $$$$ > " + top() +
                   "/pid; exec sleep 1000' &); "
                   "while [ ! -s " +
                   top() + "/pid ]; do :; done; echo ready; while :; do sleep 1000; done"));
  wait_for_line("app-1");
  cancel_app(ref("app-1"), helper_path, std::chrono::milliseconds(50), /*now=*/false);
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.state == AppState::kCancelled));
  BOOST_TEST((app.roles[0].replicas[0].signal == 9));
  BOOST_TEST(::kill(std::stoi(slurp(top() + "/pid")), 0) == -1);
}

BOOST_AUTO_TEST_CASE(a_second_cancel_never_moves_the_kill_to_a_later_time) {
  using std::chrono::milliseconds;
  launch(shell("app-1", 1, "trap '' TERM; echo ready; while :; do sleep 1000; done"));
  wait_for_line("app-1");
  cancel_app(ref("app-1"), helper_path, milliseconds(6000), /*now=*/false);
  std::this_thread::sleep_for(milliseconds(5000));
  const std::int64_t second_ns = realtime_ns();
  cancel_app(ref("app-1"), helper_path, milliseconds(5900), /*now=*/false);
  // The kill stays 6 s after the first cancel. Counted from the second one it would be 4.9 s later.
  BOOST_TEST(wait("app-1").finished_ns < second_ns + 5'900'000'000);
}

BOOST_AUTO_TEST_CASE(a_second_cancel_with_now_does_not_wait_for_the_grace_time) {
  launch(shell("app-1", 1, "trap '' TERM; echo ready; while :; do sleep 1000; done"));
  wait_for_line("app-1");
  cancel_app(ref("app-1"), helper_path, std::chrono::hours(1), /*now=*/false);
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/true);
  BOOST_TEST((wait("app-1").roles[0].replicas[0].signal == 9));
}

BOOST_AUTO_TEST_CASE(wakes_a_stopped_replica) {
  launch(shell("app-1", 1, "trap 'exit 3' TERM; echo ready; kill -STOP $$$$; wait"));
  wait_for_line("app-1");
  const std::int32_t pid = read_app(ref("app-1"))->roles[0].replicas[0].pid;
  eventually("the replica is stopped", [pid] {
    return slurp("/proc/" + std::to_string(pid) + "/stat").find(") T ") != std::string::npos;
  });
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/false);
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.state == AppState::kCancelled));
  // Its trap has run, which a stopped shell cannot do.
  BOOST_TEST((app.roles[0].replicas[0].exit_code == 3));
}

BOOST_AUTO_TEST_CASE(finished_app_stays_as_it_is) {
  run(small_plan("app-1", 1));
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/true);
  BOOST_TEST((read_app(ref("app-1"))->state == AppState::kSucceeded));
}

BOOST_AUTO_TEST_CASE(unknown_app_is_reported_as_not_found) {
  BOOST_CHECK_EXCEPTION(cancel_app(ref("nothing"), helper_path, std::nullopt, /*now=*/false), Error,
                        [](const Error& error) { return error.code() == Code::kNotFound; });
}

BOOST_AUTO_TEST_CASE(app_is_cancelled_when_its_owner_ends) {
  int ends[2];
  BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  OwnedFd mine(ends[0]);
  OwnedFd theirs(ends[1]);
  LaunchPlan plan = shell("app-1", 2, "exec sleep 1000");
  plan.owned = true;
  launch_and_wait(plan, theirs.get());
  theirs.reset();  // the supervisor has its own copy
  mine.reset();
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.state == AppState::kCancelled));
  BOOST_TEST(!app.message.empty());
}

BOOST_AUTO_TEST_CASE(cancel_of_an_app_with_a_stopped_supervisor_returns_an_error) {
  launch_and_wait(shell("app-1", 1, "exec sleep 1000"));
  const auto supervisor = read_app(ref("app-1"))->supervisor_pid;
  ::kill(supervisor, SIGSTOP);
  BOOST_CHECK_EXCEPTION(cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/true), Error,
                        [](const Error& error) { return error.code() == Code::kTemporary; });
  ::kill(supervisor, SIGCONT);
  BOOST_TEST((wait("app-1").state == AppState::kCancelled));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
