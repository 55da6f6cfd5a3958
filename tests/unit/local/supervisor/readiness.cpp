#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

/// Returns a plan of two replicas that run `script` and are probed with `command`.
LaunchPlan probed(const AppFixture& apps, const std::string& id, const std::string& script,
                  const std::string& command) {
  LaunchPlan plan = apps.shell(id, 2, script);
  ReadyProbe& probe = plan.groups[0].needs.ready;
  probe.kind = ReadyProbe::Kind::kCommand;
  probe.command = {"/bin/sh", "-c", command};
  probe.interval_ms = 50;
  return plan;
}

bool all_ready(const AppSnapshot& app) {
  for (const ReplicaSnapshot& one : app.roles[0].replicas) {
    if (!one.ready.value_or(false)) return false;
  }
  return true;
}

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorReadiness, AppFixture)

BOOST_AUTO_TEST_CASE(record_shows_which_replicas_are_ready) {
  LaunchPlan plan = probed(*this, "app", "exec sleep 1000", "test ${replica_id} = 1");
  plan.groups[0].needs.ready.within_ms = 0;  // no limit
  launch(plan);
  const AppSnapshot app = wait_until(
      "app", [](const AppSnapshot& now) { return now.roles[0].replicas[1].ready.value_or(false); });
  BOOST_TEST(app.roles[0].replicas[0].ready.has_value());
  BOOST_TEST(!app.roles[0].replicas[0].ready.value_or(true));
}

BOOST_AUTO_TEST_CASE(replica_without_a_probe_has_no_readiness) {
  const AppSnapshot app = run(small_plan("app", 1));
  BOOST_TEST(!app.roles[0].replicas[0].ready.has_value());
}

BOOST_AUTO_TEST_CASE(replica_that_was_ready_at_its_end_stays_ready_in_the_record) {
  launch(probed(*this, "app", "while ! [ -e " + top() + "/go ]; do sleep 0.01; done", "exit 0"));
  wait_until("app", all_ready);
  std::ofstream(top() + "/go").put('x');
  const AppSnapshot app = wait("app");
  BOOST_TEST((app.state == AppState::kSucceeded));
  BOOST_TEST(all_ready(app));
}

BOOST_AUTO_TEST_CASE(replica_that_is_not_ready_in_time_fails_even_if_it_then_exits_with_0) {
  AppSnapshot app;
  // On a busy machine the command needs more time for its first answer.
  for (const char* within : {"0.1", "2", "30"}) {
    LaunchPlan plan = probed(*this, std::string("app-") + within,
                             "trap 'exit 0' TERM; sleep 1000 & wait", "exit 1");
    plan.groups[0].needs.ready.within_ms = static_cast<std::int64_t>(std::stod(within) * 1000);
    app = run(plan);
    if (app.message.find(std::string("was not ready within ") + within +
                         " s: its command exited with 1") != std::string::npos)
      break;
  }
  BOOST_TEST((app.state == AppState::kFailed));
  for (const ReplicaSnapshot& one : app.roles[0].replicas) {
    BOOST_TEST((one.state == AppState::kFailed));
    BOOST_TEST((one.reason == Reason::kNotReady));
    BOOST_TEST(!one.ready.value_or(true));
  }
  BOOST_TEST(app.message.find(" s: its command exited with 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(missing_working_directory_is_not_blamed_on_the_program_of_the_probe) {
  std::string message;
  std::string expected;
  // On a busy machine the replica needs more time to remove its directory.
  for (const char* within : {"0.1", "2", "30"}) {
    const std::string cwd = top() + "/cwd-" + within;
    std::filesystem::create_directory(cwd);
    LaunchPlan plan =
        probed(*this, std::string("app-") + within, "rmdir " + cwd + "; exec sleep 1000", "exit 1");
    plan.groups[0].count = 1;
    plan.groups[0].cwd = cwd;
    plan.groups[0].needs.ready.within_ms = static_cast<std::int64_t>(std::stod(within) * 1000);
    message = run(plan).message;
    expected = "its command /bin/sh: cannot enter " + cwd + ": No such file or directory";
    if (message.find(expected) != std::string::npos) break;
  }
  BOOST_TEST(message.find(expected) != std::string::npos, message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
