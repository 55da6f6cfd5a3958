// The helpers of an app are killed, or end with the app.
#include <signal.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "sdk/support/checksum.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

constexpr std::string_view kRestarted = "the machine was restarted while the app ran";

struct SurvivalFixture : AppFixture {
  /// Launches an app of three replicas that wait for `go` and exit with their number.
  AppSnapshot launch_waiting(const std::string& app_id) const {
    BOOST_TEST_REQUIRE(::mkfifo((top() + "/go").c_str(), 0600) == 0);
    launch(
        shell(app_id, 3,
              "echo x >> " + top() + "/starts; read line < " + top() + "/go; exit ${replica_id}"));
    return wait_until(app_id, [](const AppSnapshot& app) {
      for (const auto& replica : app.roles[0].replicas) {
        if (replica.state != AppState::kRunning) return false;
      }
      return true;
    });
  }
  /// Lets the replicas exit, and waits for the end of the app.
  void let_go() const {
    // The writer's end stays open until all replicas have ended, so later readers find the data.
    std::ofstream go(top() + "/go");
    go << "1\n2\n3\n" << std::flush;
    wait("app-1");
  }
  /// Gives the record another boot id with a matching checksum.
  void pretend_reboot() const {
    const std::string file = path("app-1") + "/state.bin";
    std::string bytes = slurp(file);
    StateFixed fixed{};
    std::memcpy(&fixed, bytes.data(), sizeof fixed);
    fixed.boot_id[0] = fixed.boot_id[0] == 'x' ? 'y' : 'x';
    fixed.table_crc = 0;
    std::memcpy(bytes.data(), &fixed, sizeof fixed);
    const std::string_view all = bytes;
    const std::size_t end = fixed.roles_offset + fixed.role_count * sizeof(RoleEntry);
    const std::string_view table = all.substr(sizeof(StateHeader), end - sizeof(StateHeader));
    fixed.table_crc = crc32(table, crc32(all.substr(0, sizeof fixed)));
    std::memcpy(bytes.data(), &fixed, sizeof fixed);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }
  void check_exit_codes() const {
    const AppSnapshot app = *read_app(ref("app-1"));
    BOOST_TEST((app.state == AppState::kFailed));
    for (const auto& replica : app.roles[0].replicas) BOOST_TEST((replica.exit_code == replica.id));
    BOOST_TEST(slurp(top() + "/starts") == "x\nx\nx\n");
  }
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorSurvival, SurvivalFixture)

BOOST_AUTO_TEST_CASE(warden_takes_over_and_records_exit_codes) {
  const AppSnapshot before = launch_waiting("app-1");
  BOOST_TEST_REQUIRE(before.supervisor_pid > 1);
  ::kill(before.supervisor_pid, SIGKILL);
  let_go();
  check_exit_codes();
}

BOOST_AUTO_TEST_CASE(supervisor_continues_without_its_warden) {
  const AppSnapshot before = launch_waiting("app-1");
  BOOST_TEST_REQUIRE(before.warden_pid > 1);
  ::kill(before.warden_pid, SIGKILL);
  let_go();
  check_exit_codes();
}

BOOST_AUTO_TEST_CASE(next_command_takes_over_replicas_when_both_helpers_died) {
  const AppSnapshot before = launch_waiting("app-1");
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  ensure_supervised(ref("app-1"), helper_path);
  BOOST_TEST(has_supervisor(ref("app-1")));
  const AppSnapshot after = *read_app(ref("app-1"));
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(after.roles[0].replicas[i].pid == before.roles[0].replicas[i].pid);
  }
  let_go();
  // The replicas are not children of the successor, so it gets no exit codes.
  BOOST_TEST((read_app(ref("app-1"))->state == AppState::kFailed));
  BOOST_TEST(slurp(top() + "/starts") == "x\nx\nx\n");
}

BOOST_AUTO_TEST_CASE(successor_can_cancel_replicas_that_it_took_over) {
  const AppSnapshot before = launch_waiting("app-1");
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  ensure_supervised(ref("app-1"), helper_path);
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/false);
  BOOST_TEST((wait("app-1").state == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(all_replicas_are_lost_after_a_reboot) {
  const AppSnapshot before = launch_waiting("app-1");
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  // A reboot ends the replicas as well.
  for (const auto& replica : before.roles[0].replicas) ::kill(-replica.pid, SIGKILL);
  pretend_reboot();
  const AppSnapshot app = wait("app-1");
  BOOST_TEST(app.message == kRestarted);
  BOOST_TEST((app.state == AppState::kFailed));
  for (const auto& replica : app.roles[0].replicas) {
    BOOST_TEST((replica.reason == Reason::kLost));
    BOOST_TEST(!replica.exit_code.has_value());
  }
}

BOOST_AUTO_TEST_CASE(start_that_was_only_promised_before_a_reboot_has_no_pid) {
  const AppSnapshot before = launch_waiting("app-1");
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  for (const auto& replica : before.roles[0].replicas) ::kill(-replica.pid, SIGKILL);
  {
    const OwnedFd dir = open_app_dir(ref("app-1"));
    StateStore state(dir.get());
    const ReplicaEntry entry = state.entry(0);
    unseal(entry);
    entry.head.word.store(make_word(RecordState::kStarting, 1, before.supervisor_pid));
    seal(entry);
  }
  pretend_reboot();
  const AppSnapshot app = wait("app-1");
  BOOST_TEST(app.message == kRestarted);
  const ReplicaSnapshot& promised = app.roles[0].replicas[0];
  BOOST_TEST((promised.state == AppState::kFailed));
  BOOST_TEST((promised.reason == Reason::kLost));
  BOOST_TEST(promised.pid == 0);
  BOOST_TEST(promised.started_ns == 0);
  BOOST_TEST(app.roles[0].replicas[1].pid == before.roles[0].replicas[1].pid);
}

BOOST_AUTO_TEST_CASE(a_finished_app_needs_no_wait_and_has_no_events) {
  launch(shell("app-1", 2, "exit 0"));
  wait_until("app-1", [](const AppSnapshot& app) { return is_terminal(app.state); });
  BOOST_TEST(wait_for_end("app-1", -1));
  wait_for_supervisor_to_leave("app-1");
  BOOST_TEST(!AppEvents::open(ref("app-1"), Changes::kState).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
