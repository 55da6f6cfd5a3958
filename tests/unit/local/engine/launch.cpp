// Starts apps: their results and files, the environment of their replicas, and failed launches.
#include <signal.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(LocalEngineLaunch, AppFixture)

BOOST_AUTO_TEST_CASE(records_exit_codes_signals_and_times) {
  const AppSnapshot app = run(
      shell("app-1", 3, "case ${replica_id} in 0) exit 0;; 1) exit 42;; 2) kill -9 $$$$;; esac"));
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST_REQUIRE(app.roles.size() == 1U);
  const auto& replicas = app.roles[0].replicas;
  BOOST_TEST_REQUIRE(replicas.size() == 3U);
  BOOST_TEST((replicas[0].state == AppState::kSucceeded));
  BOOST_TEST((replicas[0].exit_code == 0));
  BOOST_TEST((replicas[1].exit_code == 42));
  BOOST_TEST((replicas[1].reason == Reason::kExit));
  BOOST_TEST((replicas[2].signal == 9));
  BOOST_TEST(!replicas[2].exit_code.has_value());
  BOOST_TEST((replicas[2].reason == Reason::kSignal));
  BOOST_TEST(app.submitted_ns <= app.started_ns);
  BOOST_TEST(replicas[0].started_ns <= replicas[0].finished_ns);
  BOOST_TEST(replicas[0].finished_ns <= app.finished_ns);
  BOOST_TEST(replicas[0].restarts == 0U);
}

BOOST_AUTO_TEST_CASE(writes_private_records_and_public_logs) {
  const ::mode_t old = ::umask(022);
  LaunchPlan plan = shell("app-1", 1, "echo out; echo err >&2; printf partial");
  plan.log_dir = top() + "/logs/sess/app-1";
  run(plan);
  ::umask(old);
  const auto mode = [](const std::string& file) { return fs::status(file).permissions(); };
  BOOST_TEST((mode(path("app-1")) == fs::perms::owner_all));
  BOOST_TEST((mode(path("app-1") + "/plan.bin") == fs::perms(0600)));
  BOOST_TEST((mode(plan.log_dir + "/w/0") == fs::perms(0755)));
  BOOST_TEST((mode(plan.log_dir + "/w/0/stdout.log") == fs::perms(0644)));
  BOOST_TEST(slurp(plan.log_dir + "/w/0/stdout.log") == "out\npartial");
  BOOST_TEST(slurp(plan.log_dir + "/w/0/stderr.log") == "err\n");
  BOOST_TEST(slurp(plan.log_dir + "/w/0/combined.log").size() == 15U);  // of both streams
  BOOST_TEST(fs::exists(plan.log_dir + "/SUCCESS"));
  BOOST_TEST(*read_spec(ref("app-1")) == "{\"spec\":1}");
  BOOST_TEST(read_app(ref("app-1"))->log_dir == plan.log_dir);
}

BOOST_AUTO_TEST_CASE(log_directory_swapped_before_the_supervisor_starts_is_not_followed) {
  // Acts like another user who may write to the directory above.
  const std::string logs = top() + "/logs/sess/app-1";
  fs::create_directories(top() + "/victim");
  const std::string helper = top() + "/helper";
  std::ofstream(helper) << "#!/bin/sh\nmv " << logs << ' ' << top() << "/moved\nln -s " << top()
                        << "/victim " << logs << "\nexec " << helper_path() << " \"$@\"\n";
  fs::permissions(helper, fs::perms::owner_all);
  LaunchRequest request;
  request.state_root = root();
  request.plan = shell("app-1", 1, "echo out");
  request.plan.log_dir = logs;
  request.helper_path = helper;
  launch_app(request);
  BOOST_TEST((wait("app-1").state == AppState::kSucceeded));
  wait_for_supervisor_to_leave("app-1");
  BOOST_TEST(fs::is_empty(top() + "/victim"));
  BOOST_TEST(slurp(top() + "/moved/w/0/stdout.log") == "out\n");
  BOOST_TEST(fs::exists(top() + "/moved/SUCCESS"));
}

BOOST_AUTO_TEST_CASE(link_in_the_place_of_the_log_directory_is_not_followed_by_a_successor) {
  const std::string logs = top() + "/logs/sess/app-1";
  fs::create_directories(top() + "/victim");
  BOOST_TEST_REQUIRE(::mkfifo((top() + "/go").c_str(), 0600) == 0);
  LaunchPlan plan = shell("app-1", 2, "read line < " + top() + "/go");
  plan.log_dir = logs;
  plan.rules.max_parallel = 1;  // the second replica starts under the successor
  launch(plan);
  const AppSnapshot before =
      wait_until("app-1", [](const AppSnapshot& app) { return app.roles[0].replicas[0].pid > 0; });
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  fs::rename(logs, top() + "/moved");
  fs::create_directory_symlink(top() + "/victim", logs);
  ensure_supervised(ref("app-1"), helper_path);
  { std::ofstream(top() + "/go") << "go\n"; }
  // The second replica cannot open its log files.
  BOOST_TEST((wait("app-1").state == AppState::kFailed));
  BOOST_TEST(fs::is_empty(top() + "/victim"));
}

BOOST_AUTO_TEST_CASE(app_whose_record_disappears_is_not_supervised) {
  // A launch that fails removes its record, perhaps while another command reads it.
  BOOST_TEST_REQUIRE(::mkfifo((top() + "/go").c_str(), 0600) == 0);
  launch(shell("app-1", 1, "read line < " + top() + "/go"));
  const AppSnapshot before =
      wait_until("app-1", [](const AppSnapshot& app) { return app.roles[0].replicas[0].pid > 0; });
  ::kill(before.warden_pid, SIGKILL);
  ::kill(before.supervisor_pid, SIGKILL);
  eventually("both helpers end", [&] { return !has_helper("app-1"); });
  // The function that returns the helper's path cannot capture variables.
  static std::string record;
  static std::string elsewhere;
  record = path("app-1");
  elsewhere = top() + "/elsewhere";
  const auto helper_of_a_lost_record = [] {
    fs::rename(record, elsewhere);
    return helper_path();
  };
  BOOST_TEST(!ensure_supervised(ref("app-1"), helper_of_a_lost_record));
  fs::rename(elsewhere, record);
}

BOOST_AUTO_TEST_CASE(makes_all_three_logs_of_a_silent_replica) {
  run(small_plan("app-1", 1));
  for (const char* name : {"stdout", "stderr", "combined"}) {
    BOOST_TEST(fs::file_size(path("app-1") + "/logs/w/0/" + name + ".log") == 0U);
  }
}

BOOST_AUTO_TEST_CASE(role_variables_replace_those_of_the_submitter) {
  LaunchPlan plan = shell("app-1", 2, "echo $$PATH,$$A,$$B,$$PYTHONUNBUFFERED,$$ID; pwd");
  plan.environment = {"PATH=:/usr/bin:/bin:", "A=inherited", "B=inherited"};
  plan.groups[0].env = {
      {"PATH", "/role/${replica_id}:"}, {"B", "own"}, {"ID", "${app_id}-${replica_id}"}};
  plan.groups[0].cwd = top();
  run(plan);
  // The role's PATH goes in front of the submitter's. Both lose the colons at their ends, which
  // mean the working directory. PYTHONUNBUFFERED is x unless it is set.
  BOOST_TEST(slurp(path("app-1") + "/logs/w/1/stdout.log") ==
             "/role/1:/usr/bin:/bin,inherited,own,x,app-1-1\n" + top() + "\n");
}

BOOST_AUTO_TEST_CASE(
    makes_replicas_session_leaders_with_three_descriptors_and_no_blocked_or_ignored_signal) {
  run(shell("app-1", 1,
            "[ $$(ps -o sid= -p $$$$) = $$$$ ] && echo leader; grep -E '^Sig(Blk|Ign):' "
            "/proc/self/status; "
            "ls /proc/$$$$/fd; readlink /proc/$$$$/fd/0"));
  BOOST_TEST(slurp(path("app-1") + "/logs/w/0/stdout.log") ==
             "leader\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n1\n2\n/dev/null\n");
}

BOOST_AUTO_TEST_CASE(starts_nothing_when_one_program_is_missing) {
  LaunchPlan plan = shell("app-1", 2, "touch " + top() + "/started");
  plan.groups.push_back(plan.groups[0]);
  plan.groups[1].role = "x";
  plan.groups[1].argv = {"/no/such"};
  const AppSnapshot app = run(plan);
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST(app.message == "x/0: cannot start /no/such: No such file or directory");
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kCancelled));
  BOOST_TEST((app.roles[0].replicas[0].reason == Reason::kCancelled));
  BOOST_TEST((app.roles[1].replicas[0].reason == Reason::kSpawnFailed));
  BOOST_TEST(app.roles[1].replicas[0].error_number == ENOENT);
  BOOST_TEST((app.roles[1].replicas[1].state == AppState::kCancelled));
  BOOST_TEST(!fs::exists(top() + "/started"));
}

BOOST_AUTO_TEST_CASE(stops_running_replicas_when_a_later_exec_fails) {
  const std::string program = top() + "/text";
  std::ofstream(program) << "not a program";
  fs::permissions(program, fs::perms(0755));
  LaunchPlan plan = shell("app-1", 1, "exec sleep 1000");
  plan.groups.push_back(plan.groups[0]);
  plan.groups[1].role = "x";
  plan.groups[1].argv = {program};
  const AppSnapshot app = run(plan);
  BOOST_TEST((app.state == AppState::kFailed));
  BOOST_TEST((app.roles[0].replicas[0].state == AppState::kCancelled));
  BOOST_TEST(app.roles[1].replicas[0].error_number == ENOEXEC);
}

BOOST_AUTO_TEST_CASE(message_names_a_missing_working_directory) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.groups[0].cwd = "/no/dir";
  const AppSnapshot app = run(plan);
  BOOST_TEST((app.roles[0].replicas[0].reason == Reason::kSpawnFailed));
  BOOST_TEST(app.message == "w/0: cannot enter /no/dir: No such file or directory");
}

BOOST_AUTO_TEST_CASE(refuses_a_directory_as_a_program) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.groups[0].argv = {"/tmp"};
  BOOST_TEST(run(plan).roles[0].replicas[0].error_number == EACCES);
}

BOOST_AUTO_TEST_CASE(reports_which_replicas_wrote_an_error_file) {
  LaunchPlan plan =
      shell("app-1", 2, "[ ${replica_id} = 1 ] && echo {} > $$TORCHELASTIC_ERROR_FILE; exit 1");
  plan.groups[0].env = {{"TORCHELASTIC_ERROR_FILE", top() + "/${replica_id}.json"}};
  const AppSnapshot app = run(plan);
  BOOST_TEST(!app.roles[0].replicas[0].has_error_file);
  BOOST_TEST(app.roles[0].replicas[1].has_error_file);
}

BOOST_AUTO_TEST_CASE(leaves_no_files_when_the_helper_fails) {
  LaunchRequest request;
  request.state_root = root();
  request.plan = small_plan("app-1", 1);
  request.plan.log_dir = top() + "/logs/sess/app-1";
  for (const char* helper : {"/bin/false", "/no/such/helper"}) {
    request.helper_path = helper;
    BOOST_CHECK_EXCEPTION(launch_app(request), Error,
                          [](const Error& error) { return error.code() == Code::kUnavailable; });
    BOOST_TEST(fs::is_empty(top()));
  }
}

BOOST_AUTO_TEST_CASE(refuses_an_app_or_a_log_directory_that_exists) {
  const auto exists = [](const Error& error) { return error.code() == Code::kExists; };
  run(small_plan("app-1", 1));
  BOOST_CHECK_EXCEPTION(launch(small_plan("app-1", 1)), Error, exists);
  LaunchPlan plan = small_plan("app-2", 1);
  plan.log_dir = top() + "/state";
  BOOST_CHECK_EXCEPTION(launch(plan), Error, exists);
  BOOST_TEST(fs::exists(plan.log_dir));
  BOOST_TEST(list_apps(root()).size() == 1U);
}

BOOST_AUTO_TEST_CASE(removes_the_leftovers_of_a_launch_that_died) {
  fs::create_directories(root() + "/sess/" + draft_name("dead"));
  std::ofstream(root() + "/sess/" + draft_name("dead") + '/' + kSpecName) << "";
  run(small_plan("app-1", 1));
  BOOST_TEST(!fs::exists(root() + "/sess/" + draft_name("dead")));
}

BOOST_AUTO_TEST_CASE(keeps_the_leftovers_of_another_version) {
  run(small_plan("app-1", 1));
  wait_for_supervisor_to_leave("app-1");
  const std::string draft = root() + "/sess/" + draft_name("app-1");
  fs::rename(path("app-1"), draft);
  std::fstream state(draft + "/state.bin", std::ios::in | std::ios::out | std::ios::binary);
  state.seekp(offsetof(StateFixed, version));
  const std::uint32_t later = kStateVersion + 1;
  state.write(reinterpret_cast<const char*>(&later), sizeof later);
  state.close();
  run(small_plan("app-2", 1));
  BOOST_TEST(fs::exists(draft + "/state.bin"));
}

BOOST_AUTO_TEST_CASE(kills_daemons_of_a_replica_and_keeps_their_output) {
  const AppSnapshot app = run(shell("app-1", 1,
                                    "(setsid sh -c 'echo daemon; echo $$$$ > " + top() +
                                        "/pid; exec sleep 1000' &); "
                                        "while [ ! -s " +
                                        top() + "/pid ]; do :; done"));
  BOOST_TEST((app.state == AppState::kSucceeded));
  BOOST_TEST(slurp(path("app-1") + "/logs/w/0/combined.log") == "daemon\n");
  BOOST_TEST(::kill(std::stoi(slurp(top() + "/pid")), 0) == -1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
