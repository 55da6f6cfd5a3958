// Other processes damage the files of an app.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

namespace fs = std::filesystem;

struct DamageFixture : AppFixture {
  AppSnapshot launch_sleeping(std::int32_t replicas = 2) const {
    return launch_and_record("exec sleep 1000", replicas);
  }
  /// Launches the app and waits until the journal has the start of every replica. A replica is
  /// RUNNING some time earlier, but a test that removes the state file then makes the supervisor
  /// start it again.
  AppSnapshot launch_and_record(const std::string& script, std::int32_t replicas) const {
    launch(shell("app-1", replicas, script));
    const auto launched = [&] {
      std::int32_t count = 0;
      const std::string events = slurp(file("events.log"));
      for (std::size_t at = 0; (at = events.find(" RUNNING pid=", at)) != std::string::npos; ++at)
        ++count;
      return count;
    };
    eventually("all replicas are in the journal", [&] { return launched() >= replicas; });
    return *read_app(ref("app-1"));
  }
  std::string file(const char* name) const { return path("app-1") + '/' + name; }
  void write(const char* name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// Returns the bytes of a state file with the version after the one that they have.
  static std::string with_next_version(std::string state) {
    ++state[offsetof(StateFixed, version)];
    return state;
  }
  /// Returns whether a process has not ended. A zombie has ended.
  static bool is_alive(std::int32_t pid) {
    const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= stat.size()) return false;
    return stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
  }
  static void await_death(std::int32_t pid) {
    eventually("process " + std::to_string(pid) + " ends", [pid] { return !is_alive(pid); });
  }
  /// Kills both helpers of the app, so that only the replicas are left.
  void kill_both(const AppSnapshot& app) const {
    ::kill(app.warden_pid, SIGKILL);
    ::kill(app.supervisor_pid, SIGKILL);
    eventually("both helpers end", [&] { return !has_helper("app-1"); });
  }
  static void check_same_processes(const AppSnapshot& before, const AppSnapshot& after) {
    for (std::size_t k = 0; k < before.roles[0].replicas.size(); ++k) {
      BOOST_TEST(after.roles[0].replicas[k].pid == before.roles[0].replicas[k].pid);
      BOOST_TEST((after.roles[0].replicas[k].state == AppState::kRunning));
    }
  }
  static void check_equal(const AppSnapshot& a, const AppSnapshot& b) {
    BOOST_TEST((a.state == b.state));
    BOOST_TEST(a.name == b.name);
    BOOST_TEST(a.submitted_ns == b.submitted_ns);
    BOOST_TEST(a.started_ns == b.started_ns);
    BOOST_TEST(a.finished_ns == b.finished_ns);
    BOOST_TEST_REQUIRE(a.roles.size() == b.roles.size());
    for (std::size_t i = 0; i < a.roles.size(); ++i) {
      BOOST_TEST(a.roles[i].name == b.roles[i].name);
      BOOST_TEST_REQUIRE(a.roles[i].replicas.size() == b.roles[i].replicas.size());
      for (std::size_t k = 0; k < a.roles[i].replicas.size(); ++k)
        check_equal(a.roles[i].replicas[k], b.roles[i].replicas[k]);
    }
  }
  static void check_equal(const ReplicaSnapshot& a, const ReplicaSnapshot& b) {
    BOOST_TEST((a.state == b.state));
    BOOST_TEST((a.reason == b.reason));
    BOOST_TEST((a.exit_code == b.exit_code));
    BOOST_TEST((a.signal == b.signal));
    BOOST_TEST(a.pid == b.pid);
    BOOST_TEST(a.restarts == b.restarts);
    BOOST_TEST(a.started_ns == b.started_ns);
    BOOST_TEST(a.finished_ns == b.finished_ns);
    BOOST_TEST(a.earlier.size() == b.earlier.size());
  }
  void cancel_and_check() const {
    ensure_supervised(ref("app-1"), helper_path);
    cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/true);
    const AppSnapshot app = wait("app-1");
    BOOST_TEST((app.state == AppState::kCancelled));
    for (const auto& replica : app.roles[0].replicas) await_death(replica.pid);
  }
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorDamage, DamageFixture)

BOOST_AUTO_TEST_CASE(truncating_the_state_of_a_running_app_ends_no_process) {
  // Two sizes within the header, the start of the entries (one page), and one within them.
  for (const off_t size : {0, 100, 4096, 4200}) {
    BOOST_TEST_CONTEXT("cut to " << size) {
      const AppSnapshot before = launch_sleeping();
      BOOST_TEST_REQUIRE(::truncate(file("state.bin").c_str(), size) == 0);
      ensure_supervised(ref("app-1"), helper_path);
      const AppSnapshot after = *read_app(ref("app-1"));
      BOOST_TEST(after.supervisor_pid == before.supervisor_pid);
      check_same_processes(before, after);
      cancel_and_check();
      delete_app(ref("app-1"));
    }
  }
}

BOOST_AUTO_TEST_CASE(replica_that_ends_while_the_state_is_truncated_keeps_its_exit_code) {
  BOOST_TEST_REQUIRE(::mkfifo((top() + "/go").c_str(), 0600) == 0);
  const AppSnapshot before = launch_and_record("read line < " + top() + "/go; exit 7", 1);
  BOOST_TEST_REQUIRE(::truncate(file("state.bin").c_str(), 0) == 0);
  std::ofstream(top() + "/go") << "go\n";
  await_death(before.supervisor_pid);
  const AppSnapshot app = wait("app-1");
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST((app.roles[0].replicas[0].exit_code == 7));
}

BOOST_AUTO_TEST_CASE(removing_the_state_of_a_running_app_loses_nothing) {
  const AppSnapshot before = launch_sleeping();
  fs::remove(file("state.bin"));
  ensure_supervised(ref("app-1"), helper_path);
  check_same_processes(before, *read_app(ref("app-1")));
  cancel_and_check();
}

BOOST_AUTO_TEST_CASE(damaged_plan_does_not_disturb_a_take_over) {
  const AppSnapshot before = launch_sleeping();
  write("plan.bin", "nonsense");
  ::kill(before.supervisor_pid, SIGKILL);
  const AppSnapshot after = wait_until(
      "app-1", [&](const AppSnapshot& app) { return app.supervisor_pid != before.supervisor_pid; });
  check_same_processes(before, after);
  cancel_and_check();
}

BOOST_AUTO_TEST_CASE(app_without_its_socket_can_be_cancelled) {
  launch_sleeping();
  fs::remove(file(kSocketName));
  cancel_and_check();
  wait_for_supervisor_to_leave("app-1");
  BOOST_TEST(!fs::exists(file(kSocketName)));
}

BOOST_AUTO_TEST_CASE(wait_without_a_socket_ends_at_its_timeout) {
  const AppSnapshot app = launch_sleeping();
  fs::remove(file(kSocketName));
  // The supervisor does not answer now.
  ::kill(app.supervisor_pid, SIGSTOP);
  BOOST_TEST(!wait_for_end("app-1", 30));
  ::kill(app.supervisor_pid, SIGCONT);
  BOOST_TEST(!wait_for_end("app-1", 30));
  BOOST_TEST(fs::exists(file(kSocketName)));  // the waits have asked for it
}

BOOST_AUTO_TEST_CASE(take_over_makes_a_removed_socket_again) {
  const AppSnapshot before = launch_sleeping();
  fs::remove(file(kSocketName));
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("the socket is back", [&] { return fs::exists(file(kSocketName)); });
  cancel_and_check();
}

BOOST_AUTO_TEST_CASE(removing_files_starts_no_second_supervisor) {
  const AppSnapshot before = launch_sleeping();
  for (const auto& entry : fs::directory_iterator(path("app-1"))) {
    if (!entry.is_directory()) fs::remove(entry.path());
  }
  BOOST_TEST(has_helper("app-1"));
  // Without state file and socket no command can ask the supervisor to make them again; SIGHUP
  // does.
  ::kill(before.supervisor_pid, SIGHUP);
  eventually("state file and socket are back",
             [&] { return fs::exists(file("state.bin")) && fs::exists(file(kSocketName)); });
  ensure_supervised(ref("app-1"), helper_path);
  const AppSnapshot after = *read_app(ref("app-1"));
  BOOST_TEST(after.supervisor_pid == before.supervisor_pid);
  BOOST_TEST(after.warden_pid == before.warden_pid);
  check_same_processes(before, after);
  cancel_and_check();
}

BOOST_AUTO_TEST_CASE(next_command_removes_the_socket_of_a_dead_supervisor) {
  launch(small_plan("app-1", 1));
  wait("app-1");
  wait_for_supervisor_to_leave("app-1");
  write(kSocketName, "");
  ensure_supervised(ref("app-1"), helper_path);
  BOOST_TEST(!fs::exists(file(kSocketName)));
}

BOOST_AUTO_TEST_CASE(recovery_with_a_damaged_plan_kills_the_replicas_and_names_the_plan) {
  const AppSnapshot before = launch_sleeping();
  kill_both(before);
  write("plan.bin", "nonsense");
  ensure_supervised(ref("app-1"), helper_path);
  const AppSnapshot app = *read_app(ref("app-1"));
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST(app.message.find("plan.bin") != std::string::npos);
  for (const auto& replica : app.roles[0].replicas) {
    BOOST_TEST((replica.reason == Reason::kLost));
    BOOST_TEST(!replica.exit_code.has_value());
  }
  for (const auto& replica : before.roles[0].replicas) await_death(replica.pid);
}

BOOST_AUTO_TEST_CASE(
    recovery_with_a_truncated_state_kills_the_replicas_and_restores_their_facts_from_the_journal) {
  const AppSnapshot before = launch_sleeping(3);
  kill_both(before);
  // Leaves the heads of the three entries, and of the tails behind them only the first one whole.
  BOOST_TEST_REQUIRE(::truncate(file("state.bin").c_str(), 4096 + 300) == 0);
  ensure_supervised(ref("app-1"), helper_path);
  const AppSnapshot app = *read_app(ref("app-1"));
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST(app.message.find("state.bin is damaged") != std::string::npos);
  for (std::size_t k = 0; k < 3; ++k) {
    const ReplicaSnapshot& replica = app.roles[0].replicas[k];
    BOOST_TEST((replica.state == AppState::kFailed));
    BOOST_TEST((replica.reason == Reason::kLost));
    BOOST_TEST(!replica.exit_code.has_value());
    BOOST_TEST(replica.pid == before.roles[0].replicas[k].pid);
    BOOST_TEST(replica.started_ns == before.roles[0].replicas[k].started_ns);
    BOOST_TEST(replica.finished_ns >= replica.started_ns);
    BOOST_TEST(replica.finished_ns <= app.finished_ns);
    BOOST_TEST(app.finished_ns <= realtime_ns());
    await_death(replica.pid);
  }
  BOOST_TEST(fs::exists(file("state.bin.damaged")));
}

BOOST_AUTO_TEST_CASE(recovery_with_a_damaged_plan_and_a_state_of_another_version_changes_nothing) {
  const AppSnapshot before = launch_sleeping(1);
  kill_both(before);
  write("plan.bin", "nonsense");
  const std::string known = slurp(file("state.bin"));
  const std::string other = with_next_version(known);
  write("state.bin", other);
  // A command refuses such a record before it starts the helper.
  const OwnedFd dir = open_app_dir(ref("app-1"));
  const OwnedFd lock = try_lock(dir.get());
  BOOST_CHECK_EXCEPTION(start_helper({helper_path(), "recover", path("app-1"), lock.get()}), Error,
                        [](const Error& error) {
                          return error.code() == Code::kUnavailable &&
                                 error.message().find("another version of Slipway") !=
                                     std::string::npos;
                        });
  BOOST_TEST(is_alive(before.roles[0].replicas[0].pid));
  BOOST_TEST((slurp(file("state.bin")) == other));
  write("state.bin", known);
}

BOOST_AUTO_TEST_CASE(
    warden_that_finds_a_state_of_another_version_ends_the_app_and_keeps_the_state) {
  const AppSnapshot before = launch_sleeping();
  ::kill(before.supervisor_pid, SIGSTOP);  // it would repair the file
  const std::string stat = "/proc/" + std::to_string(before.supervisor_pid) + "/stat";
  eventually("the supervisor stops", [&] { return slurp(stat).find(") T ") != std::string::npos; });
  const std::string other = with_next_version(slurp(file("state.bin")));
  write("state.bin", other);
  ::kill(before.supervisor_pid, SIGKILL);
  for (const auto& replica : before.roles[0].replicas) await_death(replica.pid);
  eventually("the warden ends", [&] { return !has_helper("app-1"); });
  BOOST_TEST((slurp(file("state.bin")) == other));
  BOOST_TEST(!fs::exists(file("state.bin.damaged")));
}

BOOST_AUTO_TEST_CASE(rebuilt_state_of_a_finished_app_equals_the_lost_one) {
  LaunchPlan plan = shell("app-1", 2, "exit 0");
  for (const char* const script : {"exit 3", "kill -9 $$$$"}) {
    plan.groups.push_back(shell("app-1", 1, script).groups[0]);
    plan.groups.back().role = script;  // a name with spaces
  }
  plan.groups[1].rules.scope = RetryScope::kReplica;
  plan.groups[1].rules.max_retries = 2;
  launch(plan);
  wait("app-1");
  wait_for_supervisor_to_leave("app-1");
  const AppSnapshot before = *read_app(ref("app-1"));
  BOOST_TEST_REQUIRE(before.roles.size() == 3U);
  BOOST_TEST_REQUIRE(before.roles[1].replicas[0].earlier.size() == 2U);
  BOOST_TEST((before.roles[2].replicas[0].signal == SIGKILL));
  for (const char* const damage : {"", "nonsense"}) {
    write("state.bin", damage);
    // One overwritten line, and one that was never finished.
    std::ofstream(file("events.log"), std::ios::app) << "00000000 9 9 app RUNNING\n1234";
    ensure_supervised(ref("app-1"), helper_path);
    check_equal(before, *read_app(ref("app-1")));
    // The helper that has rebuilt the state answers before it ends, and holds the lock until then.
    wait_for_supervisor_to_leave("app-1");
  }
}

BOOST_AUTO_TEST_CASE(damaged_state_without_a_readable_journal_stays_as_it_is) {
  launch(small_plan("app-1", 1));
  wait("app-1");
  wait_for_supervisor_to_leave("app-1");
  write("state.bin", "nonsense");
  write("events.log", "slipway-events 3\n");  // a version that does not exist yet
  BOOST_CHECK_THROW(ensure_supervised(ref("app-1"), helper_path), Error);
  BOOST_TEST(slurp(file("state.bin")) == "nonsense");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
