#include "plugins/slurm/script/batch_script.hpp"

#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "plugins/slurm/state/replica_record.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

/// Runs a job's script with stand-ins: srun starts FAKE_TASKS tasks one after the other, with
/// Slurm's ranks.
struct ScriptFixture : SlurmFixture {
  ScriptFixture() {
    install("srun", R"(
if [[ $* == *" : "* ]]; then
  echo "$*" >>"$FAKE_LOG"
  parts=() ; part=()
  for word in "$@" :; do
    if [[ $word == : ]]; then "$0" "${part[@]}" || status=$?; part=(); else part+=("$word"); fi
  done
  exit "${status:-0}"
fi
while [[ $1 == --* ]]; do
  [[ $1 == --output=* ]] && out=${1#*=}
  shift
done
status=0
for ((rank = 0; rank < ${FAKE_TASKS:-1}; rank++)); do
  SLURM_PROCID=$rank "$@" >"${out:-/dev/null}" || status=$?
done
exit "$status")");
    install("scontrol", R"(
echo "scontrol $*" >>"$FAKE_LOG"
if [[ $1 == show ]]; then echo node7; fi)");
    install("scancel", "echo \"scancel $*\" >>\"$FAKE_LOG\"");
    install("squeue", "echo RUNNING");
    ::setenv("FAKE_LOG", path("log").c_str(), 1);
    ::setenv("SLURM_JOB_ID", "77", 1);
    ::setenv("SLURM_JOB_NODELIST", "node[7-9]", 1);
  }
  ~ScriptFixture() {
    for (const char* name : {"FAKE_LOG", "FAKE_TASKS", "SLURM_JOB_ID", "SLURM_JOB_NODELIST",
                             "SLURM_RESTART_COUNT", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"}) {
      ::unsetenv(name);
    }
  }

  /// Returns the script's exit status, or -1 if a signal ended it.
  int run(const JobPlan& plan) const {
    std::ofstream(path("job.sh")) << batch_script(plan);
    const int status = std::system(("bash " + path("job.sh") + " 2>" + path("stderr")).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string output(const JobPlan& plan, const std::string& replica) const {
    return contents(plan.log_dir + "/slurm-77-" + replica + ".out");
  }
  /// Returns the calls of scontrol and scancel, and those of srun with several components.
  std::string log() const { return contents(path("log")); }
};

/// Returns a role that runs `script` in a shell. `$$` stands for one dollar sign, as in every
/// argument.
Role shell(const std::string& script) { return Role("w").runs("sh", {"-c", script}); }

BOOST_FIXTURE_TEST_SUITE(BatchScript, ScriptFixture)

BOOST_AUTO_TEST_CASE(passes_every_byte_of_the_environment) {
  const std::string torture = "a,b 'c' \"d\" $HOME `id` $(id) \\ \n!x;&|<>*?#~=%[ü🚀";
  Role role = Role("w").runs("sh", {"-c", "printf '%s|%s|%s' \"$A\" \"$B\" \"$EMPTY\""});
  role.with_env("A", torture).with_env("B", "\n\n'\n").with_env("EMPTY", "");
  for (const bool per_replica : {false, true}) {
    SlurmOptions options;
    options.het_per_replica = per_replica;
    const JobPlan job = plan(app_of(role), options);
    BOOST_TEST(run(job) == 0);
    BOOST_TEST(output(job, "w-0") == torture + "|\n\n'\n|");
  }
}

BOOST_AUTO_TEST_CASE(exports_a_path_where_the_job_has_none) {
  const JobPlan job = plan(app_of(shell("true")));
  install("srun", "[[ $(export -p) == *' PATH='* ]] && exit 4");
  std::ofstream(path("job.sh")) << batch_script(job);
  const int status = std::system(("env -u PATH /bin/bash -c 'PATH=" + path("bin") +
                                  ":/usr/bin:/bin; export -n PATH; . " + path("job.sh") + "'")
                                     .c_str());
  BOOST_TEST(WEXITSTATUS(status) == 4);
}

BOOST_AUTO_TEST_CASE(passes_names_that_bash_cannot_export) {
  Role role = Role("w").runs("env", {});
  const StrList names = {"a.b-c", "-x", "--"};
  for (const std::string& name : names) role.with_env(name, "x y");
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 0);
  for (const std::string& name : names)
    BOOST_TEST(output(job, "w-0").find("\n" + name + "=x y\n") != std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(passes_variables_that_the_script_or_bash_also_has) {
  Role role = Role("w").runs("env", {});
  const StrList names = {"name",         "record",        "attempt", "begun",         "error",
                         "UID",          "RANDOM",        "SHLVL",   "BASH_VERSINFO", "SRANDOM",
                         "BASH_COMMAND", "BASH_SUBSHELL", "HISTCMD", "BASH_ALIASES",  "BASH_CMDS",
                         "OPTIND",       "IFS",           "_"};
  for (const std::string& name : names) role.with_env(name, "x-" + name);
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 0);
  for (const std::string& name : names)
    BOOST_TEST(output(job, "w-0").find("\n" + name + "=x-" + name + "\n") != std::string::npos,
               name);
}

BOOST_AUTO_TEST_CASE(variables_of_a_role_do_not_change_its_logs_and_records) {
  ::setenv("FAKE_TASKS", "2", 1);
  Role role = shell("echo $SLIPWAY_REPLICA_ID $SLIPWAY_APP_ID ${replica_id} $R; exit 3");
  role.replicas(2).with_env("R", "${replica_id} of ${app_id}");
  for (const char* name : {"SLIPWAY_REPLICA_ID", "SLIPWAY_APP_ID", "SLIPWAY_RECORDS",
                           "SLIPWAY_JOB_OUTPUT", "SLURM_RESTART_COUNT", "slipway_log"})
    role.with_env(name, "x");
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 3);
  for (const std::int32_t id : {0, 1}) {
    const std::string number = std::to_string(id);
    BOOST_TEST(output(job, "w-" + number) == "x x " + number + " " + number + " of 77\n");
    const auto left = read_replica(job.record_dir, "w", id);
    BOOST_REQUIRE(left);
    BOOST_TEST(left->code.value() == 3);
  }
}

BOOST_AUTO_TEST_CASE(variables_of_a_role_do_not_change_the_values_of_others) {
  Role role = shell("echo $ZZ");
  role.with_env("SLIPWAY_REPLICA_ID", "x").with_env("SLIPWAY_APP_ID", "y");
  role.with_env("ZZ", "${replica_id} of ${app_id}").with_env("slipway_words", "z");
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "w-0") == "0 of 77\n");
}

BOOST_AUTO_TEST_CASE(variables_that_bash_can_export_are_no_arguments_of_a_program) {
  install("env", "echo \"$@\" >" + path("arguments"));
  Role role = shell("echo $TOKEN");
  const JobPlan job = plan(app_of(role.with_env("TOKEN", "secret")));
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "w-0") == "secret\n");
  BOOST_TEST(!fs::exists(path("arguments")));
}

BOOST_AUTO_TEST_CASE(commands_of_the_wrapper_do_not_depend_on_variables_of_the_role) {
  install("marker", "echo $IFS");
  fs::create_directories(path("other"));
  fs::rename(path("bin/marker"), path("other/marker"));
  Role role = Role("w").runs("marker");
  role.with_env("PATH", path("other")).with_env("IFS", ",");
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(contents(job.log_dir + "/slurm-77-w-0.err") == "");
  BOOST_TEST(contents(job.record_dir + "/job.out") == "");
  BOOST_TEST(read_replica(job.record_dir, "w", 0)->code.value() == 0);
}

BOOST_AUTO_TEST_CASE(runs_a_program_whose_path_contains_an_equals_sign) {
  install("lr=1", "echo \"$A\"");
  for (const bool has_variable : {false, true}) {
    Role role = Role("w").runs(path("bin/lr=1"));
    if (has_variable) role.with_env("A", "x");
    const JobPlan job = plan(app_of(role));
    fs::remove(job.log_dir + "/slurm-77-w-0.out");
    BOOST_TEST(run(job) == 0);
    BOOST_TEST(output(job, "w-0") == (has_variable ? "x\n" : "\n"));
  }
}

BOOST_AUTO_TEST_CASE(passes_every_byte_of_the_arguments) {
  const StrList args = {"%s\\n", "", "a b", "it's", "\"", "$x", "`x`", "a\nb", "\\", "*", "-n"};
  const JobPlan job = plan(app_of(Role("w").runs("printf", args)));
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "w-0") == "\na b\nit's\n\"\n$x\n`x`\na\nb\n\\\n*\n-n\n");
}

BOOST_AUTO_TEST_CASE(gives_each_task_its_replica_id) {
  ::setenv("FAKE_TASKS", "3", 1);
  Role role = shell("echo ${replica_id} of ${app_id} at $$${rank0_env}, $R");
  role.replicas(3).with_env("R", "<${replica_id}>");
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 0);
  for (const std::string id : {"0", "1", "2"})
    BOOST_TEST(output(job, "w-" + id) == id + " of 77 at node7, <" + id + ">\n");
}

BOOST_AUTO_TEST_CASE(a_task_opens_its_logs_by_its_own_rank) {
  // Slurm 24.11 numbers the files of %t from -1 in a heterogeneous job.
  ::setenv("FAKE_TASKS", "2", 1);
  AppDef app("app");
  app.of(shell("true")).of(Role("b").runs("sh", {"-c", "echo ${replica_id}"}).replicas(2));
  const JobPlan job = plan(app);
  BOOST_TEST(batch_script(job).find("%t") == std::string::npos);
  BOOST_TEST(run(job) == 0);
  for (const std::string id : {"0", "1"}) BOOST_TEST(output(job, "b-" + id) == id + "\n");
}

BOOST_AUTO_TEST_CASE(services_stop_when_the_other_roles_have_ended) {
  install("scancel", "echo \"scancel $*\" >>\"$FAKE_LOG\"; touch \"$FAKE_LOG.stop\"");
  for (const int status : {0, 5}) {
    for (const char* end : {"", ".stop", ".board"}) fs::remove(path("log") + end);
    AppDef app("app");
    Role board = Role("board").runs(
        "sh", {"-c",
               "touch \"$FAKE_LOG.board\"; while [ ! -e \"$FAKE_LOG.stop\" ]; do sleep 0.02; done; "
               "exit 7"});
    board.metadata_json = R"({"slipway.service":true})";
    // The script kills srun itself where the service has not started yet.
    app.of(board).of(shell("while [ ! -e \"$FAKE_LOG.board\" ]; do sleep 0.02; done; exit " +
                           std::to_string(status)));
    const JobPlan job = plan(app);
    std::filesystem::remove(job.record_dir + "/replicas/board-0");  // of the round before
    BOOST_TEST(run(job) == status);
    BOOST_TEST(log().find("scancel --signal=TERM 77.") != std::string::npos);
    const auto left = read_replica(job.record_dir, "board", 0);
    BOOST_REQUIRE(left);
    BOOST_TEST(left->was_stopped);
    BOOST_TEST(left->code.value() == 7);
    BOOST_TEST(!read_replica(job.record_dir, "w", 0)->was_stopped);
    BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == status);
  }
}

BOOST_AUTO_TEST_CASE(service_that_failed_before_was_not_stopped) {
  AppDef app("app");
  Role board = shell("exit 7");
  board.name = "board";
  board.metadata_json = R"({"slipway.service":true})";
  app.of(board).of(shell("sleep 0.5"));
  const JobPlan job = plan(app);
  BOOST_TEST(run(job) == 0);
  const auto left = read_replica(job.record_dir, "board", 0);
  BOOST_REQUIRE(left);
  BOOST_TEST(!left->was_stopped);
  BOOST_TEST(left->code.value() == 7);
}

BOOST_AUTO_TEST_CASE(runs_the_program_instead_of_a_builtin_of_the_same_name) {
  install("echo", "printf 'the program %s\\n' \"$*\"");
  const JobPlan job = plan(app_of(Role("w").runs("echo", {"x"})));
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "w-0") == "the program x\n");
}

BOOST_AUTO_TEST_CASE(ends_with_127_where_the_program_is_missing) {
  const JobPlan job = plan(app_of(Role("w").runs("no-such-program")));
  BOOST_TEST(run(job) == 127);
  BOOST_TEST(read_replica(job.record_dir, "w", 0)->code.value() == 127);
}

BOOST_AUTO_TEST_CASE(a_name_without_a_slash_is_searched_for_in_path_only) {
  const JobPlan job = plan(app_of(Role("w").runs("here.sh")));
  std::ofstream(path("here.sh")) << "#!/bin/sh\n";
  fs::permissions(path("here.sh"), fs::perms::owner_all);
  std::ofstream(path("job.sh")) << batch_script(job);
  const int status = std::system(("cd " + directory + " && bash job.sh 2>stderr").c_str());
  BOOST_TEST(WEXITSTATUS(status) == 127);
  BOOST_TEST(contents(job.record_dir + "/job.out") == "slipway: w/0: here.sh is not found\n");
}

BOOST_AUTO_TEST_CASE(ends_with_126_where_the_file_is_not_executable) {
  std::ofstream(path("plain")) << "";
  const JobPlan job = plan(app_of(Role("w").runs(path("plain"))));
  BOOST_TEST(run(job) == 126);
  BOOST_TEST(contents(job.record_dir + "/job.out") ==
             "slipway: w/0: " + path("plain") + " is not executable\n");
}

BOOST_AUTO_TEST_CASE(records_the_ends_of_replicas_and_job) {
  const JobPlan job = plan(app_of(shell("exit 3")));
  BOOST_TEST(run(job) == 3);
  const auto left = read_replica(job.record_dir, "w", 0);
  BOOST_REQUIRE(left);
  BOOST_TEST(left->code.value() == 3);
  BOOST_TEST(left->pid > 0);
  BOOST_TEST(*left->started_at <= *left->ended_at);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 3);
}

BOOST_AUTO_TEST_CASE(a_signal_is_recorded_as_128_plus_its_number) {
  const JobPlan job = plan(app_of(shell("kill -KILL $$$$")));
  BOOST_TEST(run(job) == 137);
  BOOST_TEST(read_replica(job.record_dir, "w", 0)->code.value() == 137);
}

BOOST_AUTO_TEST_CASE(is_requeued_until_no_retries_are_left) {
  const JobPlan job = plan(app_of(shell("exit 3").retries(1)));
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("scontrol requeue 77") != std::string::npos);
  BOOST_TEST(!read_result(job.record_dir, std::nullopt).has_value());
  fs::remove(path("log"));
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("requeue") == std::string::npos);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 3);
  BOOST_TEST(read_replica(job.record_dir, "w", 0)->requeues == 1);
}

BOOST_AUTO_TEST_CASE(replicas_get_the_number_of_their_attempt) {
  ::setenv("SLIPWAY_ATTEMPT", "9", 1);  // of the replica that submitted the job
  const JobPlan job = plan(app_of(shell("echo $SLIPWAY_ATTEMPT")));
  run(job);
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  run(job);
  ::unsetenv("SLIPWAY_ATTEMPT");
  BOOST_TEST(output(job, "w-0") == "1\n2\n");
}

BOOST_AUTO_TEST_CASE(a_job_that_starts_records_its_id) {
  JobPlan job = plan(app_of(shell("true")));
  run(job);
  BOOST_TEST(read_job_id(job.record_dir) == "77");
  fs::remove(job.record_dir + "/job-id");
  ::setenv("SLURM_CLUSTER_NAME", "east", 1);
  job.parts.front().sbatch.emplace_back("clusters", "east,west");
  run(job);
  ::unsetenv("SLURM_CLUSTER_NAME");
  BOOST_TEST(read_job_id(job.record_dir) == "77;east");
}

BOOST_AUTO_TEST_CASE(a_job_that_was_cancelled_before_it_was_known_starts_no_replica) {
  const JobPlan job = plan(app_of(shell("echo ran")));
  std::ofstream(job.record_dir + "/cancelled") << "cancelled=100.5\n";
  BOOST_TEST(run(job) == 143);
  BOOST_TEST(log() == "scancel 77\n");
  BOOST_TEST(!fs::exists(job.log_dir + "/slurm-77-w-0.out"));
  BOOST_TEST(!read_result(job.record_dir, std::nullopt).has_value());
}

BOOST_AUTO_TEST_CASE(a_job_that_is_being_cancelled_does_not_requeue_itself) {
  // Slurm's answer between the end of the replicas and that of the script.
  install("squeue", "[[ \" $* \" == *' --jobs=77 '* ]] && echo COMPLETING");
  const JobPlan job = plan(app_of(shell("exit 3").retries(1)));
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("requeue") == std::string::npos);
  install("squeue", "echo RUNNING; echo RUNNING");  // as for a job of two components
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("scontrol requeue 77") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(
    a_cancellation_after_the_answer_of_slurm_prevents_a_requeue_or_ends_the_next_attempt) {
  const JobPlan job = plan(app_of(shell("echo ran; exit 3").retries(1)));
  install("squeue", "touch " + job.record_dir + "/cancelling; echo RUNNING");
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("requeue") == std::string::npos);
  BOOST_TEST(run(job) == 143);
  BOOST_TEST(log().find("scancel 77\n") != std::string::npos);
  BOOST_TEST(output(job, "w-0") == "ran\n");
}

BOOST_AUTO_TEST_CASE(a_retry_waits_for_an_answer_of_slurm_and_needs_one) {
  install("sleep", "");
  const std::string fails = "echo 'squeue: error: Socket timed out' >&2; exit 1";
  const JobPlan job = plan(app_of(shell("exit 3").retries(1)));
  install("squeue", fails);
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("requeue") == std::string::npos);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 3);
  install("squeue", "[[ -e " + path("asked") + " ]] && echo RUNNING || { touch " + path("asked") +
                        "; " + fails + "; }");
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("scontrol requeue 77") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_attempt_that_slurm_has_replaced_leaves_the_job_to_the_next_one) {
  // This node failed, Slurm started the job again elsewhere, and this script still runs.
  install("squeue", "[[ $* == *--Format=State,RestartCnt* ]] && echo 'RUNNING             1'");
  const std::string next = "echo 2 >$SLIPWAY_RECORDS/attempt; ";
  for (const int status : {0, 3}) {
    AppDef app = app_of(shell(next + "exit " + std::to_string(status)).retries(2));
    app.of(Role("v").runs("sleep", {"0"}).retries(2));
    const JobPlan job = plan(app);
    BOOST_TEST(run(job) == status);
    BOOST_TEST(log().find("requeue") == std::string::npos);
    BOOST_TEST(log().find("scancel") == std::string::npos);
    BOOST_TEST(!read_result(job.record_dir, std::nullopt).has_value());
  }
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  const JobPlan job = plan(app_of(shell("exit 3").retries(2)));
  BOOST_TEST(run(job) == 3);
  BOOST_TEST(log().find("scontrol requeue 77") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_attempt_removes_the_result_of_an_earlier_one) {
  const JobPlan job = plan(app_of(shell("test ! -e $SLIPWAY_RECORDS/result")));
  std::ofstream(job.record_dir + "/result") << "code=1 ended=100.5\n";
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 0);
}

BOOST_AUTO_TEST_CASE(a_role_that_fails_ends_the_others_on_request_or_before_a_restart) {
  const auto app = [](int retries) {
    AppDef out("app");
    out.of(shell("exit 4").retries(retries))
        .of(Role("other").runs("sleep", {"0"}).retries(retries));
    return out;
  };
  const auto cancels = [&] { return log().find("scancel --signal=TERM 77") != std::string::npos; };
  BOOST_TEST(run(plan(app(0))) == 4);
  BOOST_TEST(!cancels());
  SlurmOptions options;
  options.fail_fast = true;
  BOOST_TEST(run(plan(app(0), options)) == 4);
  BOOST_TEST(cancels());
  fs::remove(path("log"));
  BOOST_TEST(run(plan(app(1))) == 4);
  BOOST_TEST(cancels());
}

BOOST_AUTO_TEST_CASE(messages_of_the_wrapper_are_only_in_the_job_output) {
  const JobPlan job = plan(app_of(shell("echo mine >&2; kill -SEGV $$$$")));
  BOOST_TEST(run(job) == 128 + SIGSEGV);
  BOOST_TEST(contents(job.log_dir + "/slurm-77-w-0.err") == "mine\n");
  BOOST_TEST(contents(job.record_dir + "/job.out").find("egmentation") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_replica_that_never_ran_fails_the_job) {
  const JobPlan job = plan(app_of(shell("true").replicas(2)));
  BOOST_TEST(run(job) == 1);  // this srun starts one task
  BOOST_TEST(contents(path("stderr")).find("slipway: w/1 never ran") != std::string::npos);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 1);
  ::setenv("FAKE_TASKS", "2", 1);
  BOOST_TEST(run(job) == 0);
  ::setenv("FAKE_TASKS", "1", 1);
  ::setenv("SLURM_RESTART_COUNT", "1", 1);  // the earlier attempt of w/1 does not count
  BOOST_TEST(run(job) == 1);
}

BOOST_AUTO_TEST_CASE(a_replica_that_recorded_no_end_fails_the_job) {
  // srun of Slurm 22.05 ends with 0 when the node of its task has failed.
  install("srun",
          "printf 'started=1.5 node=n1 pid=10 attempt=0\\n' >\"$SLIPWAY_RECORDS/replicas/w-0\"; "
          "echo 'srun: error: Node failure on n1' >&2");
  const JobPlan job = plan(app_of(shell("true")));
  BOOST_TEST(run(job) == 1);
  BOOST_TEST(contents(path("stderr")).find("slipway: w/0 has recorded no end") !=
             std::string::npos);
  BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 1);
}

BOOST_AUTO_TEST_CASE(an_elastic_job_needs_its_least_number_of_replicas) {
  Role role = shell("true").replicas(4);
  role.min_replicas = 2;
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(run(job) == 1);
  ::setenv("FAKE_TASKS", "2", 1);
  BOOST_TEST(run(job) == 0);
}

BOOST_AUTO_TEST_CASE(the_records_of_replicas_replace_a_status_that_bash_lost) {
  const JobPlan job = plan(app_of(shell("exit ${replica_id}").replicas(4)));
  ::setenv("FAKE_TASKS", "4", 1);
  std::string script = batch_script(job);
  const std::string use = "  wait \"$1\"\n  ended=$?\n";
  BOOST_REQUIRE(script.find(use) != std::string::npos);
  script.replace(script.find(use), use.size(), "  wait \"$1\"\n  ended=-1\n");
  std::ofstream(path("job.sh")) << script;
  BOOST_TEST(WEXITSTATUS(std::system(("bash " + path("job.sh")).c_str())) == 3);
}

/// A signal that arrives while the script reads the status of an ended step ends bash's `wait`,
/// which then returns the number of the signal instead. The function `wait` does so once, and only
/// for a process that has ended.
BOOST_AUTO_TEST_CASE(a_signal_does_not_replace_the_status_of_an_ended_step) {
  std::ofstream(path("interrupted_wait")) << "wait() {\n"
                                             "  if [[ $1 != -n && ! -e " +
                                                 path("interrupted") +
                                                 " ]] && ! kill -0 \"$1\" 2>/dev/null; then\n"
                                                 "    : >" +
                                                 path("interrupted") +
                                                 "\n    return 143\n  fi\n"
                                                 "  builtin wait \"$@\"\n}\n";
  ::setenv("BASH_ENV", path("interrupted_wait").c_str(), 1);
  Role service = shell("exit 0");
  service.name = "s";
  service.metadata_json = R"({"slipway.service":true})";
  AppDef one_role = app_of(shell("exit 4"));
  AppDef two_roles = one_role;
  two_roles.of(Role("v").runs("true"));
  AppDef with_service = one_role;
  with_service.of(service);
  for (const AppDef& app : {one_role, two_roles, with_service}) {
    BOOST_TEST_CONTEXT(app.roles.size() << " roles, the last is " << app.roles.back().name) {
      fs::remove(path("interrupted"));
      BOOST_TEST(run(plan(app)) == 4);
      BOOST_TEST(fs::exists(path("interrupted")));
    }
  }
  ::unsetenv("BASH_ENV");
}

/// Installs an srun that sends `signal` to the script and waits until the script has handled it,
/// and a squeue that prints `state`. This srun writes the records of its replicas itself, because
/// bash may lose its status.
struct SignalledScript : ScriptFixture {
  void send(const std::string& signal, const std::string& state) const {
    fs::remove(path("log"));
    install("squeue", "echo " + state);
    install("srun", "kill -" + signal +
                        " $PPID\nwhile kill -0 $PPID && ! grep -q -- --signal \"$FAKE_LOG\"; do "
                        "sleep 0.02; done 2>/dev/null\n"
                        "for role in w v; do printf 'ended=2.0 code=4 ticks=0 attempt=0\\n' "
                        ">\"$SLIPWAY_RECORDS/replicas/$role-0\"; done\nexit 4");
  }
};

BOOST_FIXTURE_TEST_CASE(a_signal_for_the_script_is_passed_on, SignalledScript) {
  for (const auto& [signal, number] : std::map<std::string, std::string>{
           {"TERM", "15"}, {"INT", "2"}, {"TRAP", "5"}, {"USR2", "12"}, {"34", "34"}}) {
    BOOST_TEST_CONTEXT(signal) {
      for (const bool has_two_roles : {false, true}) {
        send(signal, "RUNNING");
        AppDef app = app_of(shell("true"));
        if (has_two_roles) app.of(Role("v").runs("x"));
        const JobPlan job = plan(app);
        BOOST_TEST(run(job) == 4);
        BOOST_TEST(log().find("scancel --signal=" + number + " 77\n") != std::string::npos);
        BOOST_TEST(read_result(job.record_dir, std::nullopt)->code == 4);
        fs::remove(job.record_dir + "/result");
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_script_ends_without_a_result, SignalledScript) {
  send("TERM", "COMPLETING");
  const JobPlan job = plan(app_of(shell("true")));
  run(job);
  BOOST_TEST(log().find("--signal") == std::string::npos);
  BOOST_TEST(!read_result(job.record_dir, std::nullopt).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_replaced_script_that_slurm_ends_spares_the_next_attempt,
                        SignalledScript) {
  send("TERM", "'RUNNING 1'");
  const JobPlan job = plan(app_of(shell("true")));
  run(job);
  BOOST_TEST(log().find("--signal") == std::string::npos);
  BOOST_TEST(!read_result(job.record_dir, std::nullopt).has_value());
}

BOOST_AUTO_TEST_CASE(no_catchable_signal_ends_the_wrapper) {
  for (const std::string signal : {"HUP", "USR1", "USR2", "ALRM", "34"}) {
    const JobPlan job =
        plan(app_of(shell("trap 'exit 5' " + signal + "; kill -" + signal +
                          " $$PPID; sleep 0.1; kill -" + signal + " $$$$; sleep 30")));
    BOOST_TEST_CONTEXT(signal) {
      run(job);
      BOOST_TEST(read_replica(job.record_dir, "w", 0)->code.value_or(-1) == 5);
    }
    fs::remove_all(job.record_dir);
  }
}

BOOST_AUTO_TEST_CASE(a_late_line_of_an_older_attempt_does_not_end_the_new_one) {
  const std::string record = path("late");
  fs::create_directories(record + "/replicas");
  std::ofstream(record + "/replicas/w-0") << "started=1.5 node=n1 pid=10 attempt=0\n"
                                          << "started=9.0 node=n2 pid=20 attempt=1\n"
                                          << "ended=9.5 code=137 attempt=0\n";
  const auto left = read_replica(record, "w", 0);
  BOOST_REQUIRE(left);
  BOOST_TEST(left->node == "n2");
  BOOST_TEST(left->requeues == 1);
  BOOST_TEST(!left->code.has_value());
}

BOOST_AUTO_TEST_CASE(error_file_of_a_replica_is_read) {
  const JobPlan job =
      plan(app_of(shell("echo '{\"message\": \"lost it\"}' >$TORCHELASTIC_ERROR_FILE; exit 1")));
  BOOST_TEST(run(job) == 1);
  BOOST_TEST(read_error_json(job.record_dir, "w", 0, 0) == "{\"message\":\"lost it\"}");
}

BOOST_AUTO_TEST_CASE(each_attempt_has_its_own_error_file) {
  const JobPlan job = plan(app_of(
      shell("echo \\\"attempt $SLIPWAY_ATTEMPT\\\" >$TORCHELASTIC_ERROR_FILE; exit 1").retries(1)));
  run(job);
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  run(job);
  BOOST_TEST(read_error_json(job.record_dir, "w", 0, 0) == "\"attempt 1\"");
  BOOST_TEST(read_error_json(job.record_dir, "w", 0, 1) == "\"attempt 2\"");
}

BOOST_AUTO_TEST_CASE(names_with_a_percent_sign_or_a_backslash_keep_their_logs) {
  const AppDef app = app_of(Role("a%b\\c").runs("echo", {"x"}));
  const JobPlan job = plan(app);
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "a%25b%5Cc-0") == "x\n");
  // If Slurm opens the files, it reads % as the start of a pattern.
  SlurmOptions options;
  options.het_per_replica = true;
  BOOST_TEST(batch_script(plan(app, options)).find("-a%%25b%%5Cc-0.out") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_step_has_all_replicas_in_the_shape_of_torchx) {
  SlurmOptions options;
  options.het_per_replica = true;
  const JobPlan job = plan(app_of(shell("echo $SLIPWAY_REPLICA_ID").replicas(2)), options);
  BOOST_TEST(run(job) == 0);
  BOOST_TEST(output(job, "w-0") == "0\n");
  BOOST_TEST(output(job, "w-1") == "1\n");
  BOOST_TEST(log().find(" : ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_task_of_an_array_is_a_replica) {
  ::setenv("SLURM_ARRAY_JOB_ID", "70", 1);
  ::setenv("SLURM_ARRAY_TASK_ID", "5", 1);
  SlurmOptions options;
  options.array = true;
  const JobPlan job = plan(
      app_of(shell("echo ${replica_id} of ${app_id}; exit 1").replicas(9).retries(1)), options);
  BOOST_TEST(run(job) == 1);
  BOOST_TEST(contents(job.log_dir + "/slurm-70-w-5.out") == "5 of 70\n");
  BOOST_TEST(log().find("scontrol requeue 70_5") != std::string::npos);
  BOOST_TEST(batch_script(job).find("#SBATCH --array=0-8\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(options_with_blanks_are_quoted_for_sbatch) {
  SlurmOptions options;
  options.constraint = "a b\"c";
  const std::string script = batch_script(plan(app_of(shell("true")), options));
  BOOST_TEST(script.find(" \"--constraint=a b\\\"c\" ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_mark_is_in_the_comment_of_the_job) {
  BOOST_TEST(
      batch_script(plan(app_of(shell("true")))).find("#SBATCH --comment=\"[slipway s/app-x1]\"") !=
      std::string::npos);
  SlurmOptions options;
  options.comment = "mine";
  const JobPlan job = plan(app_of(shell("true")), options);
  // As in TorchX, a comment of the user is on the command line, which counts more than the script.
  BOOST_TEST(job.command.at(2) == "--comment=mine [slipway s/app-x1]");
  BOOST_TEST(batch_script(job).find("#SBATCH --comment") == std::string::npos);
  BOOST_TEST(mark_in("mine [slipway s/app-x1]") == "s/app-x1");
  BOOST_TEST(mark_in("[slipway s/app-x1] later") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
