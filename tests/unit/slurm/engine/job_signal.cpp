// Tests the commands that send signals to jobs, and the script that runs on the nodes.
#include "plugins/slurm/engine/job_signal.hpp"

#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <set>

#include "plugins/slurm/script/replica_shell.hpp"
#include "slipway/error.hpp"
#include "slipway/program.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

/// Returns a component of the heterogeneous job 12.
QueueJob component(std::int64_t id, std::int32_t offset) {
  QueueJob out;
  out.id = id;
  out.het_id = 12;
  out.het_offset = offset;
  return out;
}

/// Returns a task of the array 12.
QueueJob task(std::int64_t id, std::int32_t number) {
  QueueJob out;
  out.id = id;
  out.array_id = 12;
  out.array_task = number;
  return out;
}

struct SignalFixture : SlurmFixture {
  /// Returns `step=job` for each step that gets signals.
  std::string steps(const std::vector<QueueJob>& jobs) const {
    std::string out;
    for (const JobStep& step : query_steps({12, {}}, jobs, Call()))
      out += (out.empty() ? "" : " ") + step.id + "=" + std::to_string(step.job);
    return out;
  }
  /// Returns the code of the error after a failed scancel, or kInternal if there is none.
  Code failure_of_scancel() const {
    try {
      signal_steps({12, {}}, {"12.0"}, SIGUSR1, Call());
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kInternal;
  }
  std::string calls() const { return contents(path("calls")); }
};

BOOST_FIXTURE_TEST_SUITE(JobSignal, SignalFixture)

BOOST_AUTO_TEST_CASE(steps_belong_to_components_and_tasks_without_the_batch_script) {
  install("squeue", "printf '12.1\\n12.batch\\n12.extern\\n13.0\\n99.0\\n'");
  BOOST_TEST(steps({component(12, 0), component(13, 1)}) == "12.1=12 13.0=13");
  // scancel of Slurm 22.05 accepts "12+1.0" silently and does nothing.
  install("squeue", "printf '12+0.1\\n12+1.0\\n12+0.batch\\n'");
  BOOST_TEST(steps({component(12, 0), component(13, 1)}) == "12.1=12 13.0=13");
  install("squeue", "printf '12_3.0\\n12_3.batch\\n12_4.0\\n12_5.0\\n'");
  BOOST_TEST(steps({task(12, 3), task(14, 4)}) == "12_3.0=12 12_4.0=14");
}

BOOST_AUTO_TEST_CASE(a_job_that_slurm_has_forgotten_has_no_steps) {
  install("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  BOOST_TEST(steps({component(12, 0)}).empty());
}

BOOST_AUTO_TEST_CASE(refusal_for_a_job_of_another_cluster_names_what_is_still_possible) {
  const auto hint_for = [](int signal) {
    try {
      signal_programs({12, "far"}, component(12, 0), 0, {{0, "n1", 4711}}, signal, Call());
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  BOOST_TEST(hint_for(SIGUSR1).ends_with("or signal the whole app or role"));
  // Slipway could not send SIGKILL to a whole role either.
  BOOST_TEST(hint_for(SIGKILL).ends_with("or cancel the app"));
}

BOOST_AUTO_TEST_CASE(a_signal_that_may_have_been_sent_is_not_sent_again) {
  install("scancel",
          "echo \"$@\" >>" + path("calls") +
              "; echo 'scancel: error: Socket timed out on send/recv operation' >&2; exit 1");
  BOOST_TEST((failure_of_scancel() == Code::kTemporary));
  BOOST_TEST(calls() == "--signal=10 12.0\n");
}

BOOST_AUTO_TEST_CASE(a_signal_for_a_job_of_another_user_is_denied) {
  install("scancel",
          "echo 'scancel: error: Kill job error on job step id 12.0: Access/permission denied' "
          ">&2; exit 1");
  BOOST_TEST((failure_of_scancel() == Code::kDenied));
}

BOOST_AUTO_TEST_CASE(a_signal_for_a_step_that_has_ended_is_not_an_error) {
  install("scancel", "echo 'scancel: error: Job/step already completing or completed' >&2; exit 1");
  BOOST_CHECK_NO_THROW(signal_steps({12, {}}, {"12.0"}, SIGUSR1, Call()));
}

BOOST_AUTO_TEST_CASE(single_programs_are_reached_by_one_step_on_all_of_their_nodes) {
  install("srun", "for word; do [[ $word == --* ]] && echo \"$word\"; done >" + path("calls") +
                      "; printf '0\\n2\\n'");
  const auto got = signal_programs({12, {}}, component(13, 1), 1,
                                   {{0, "n1", 70}, {1, "n2", 71}, {2, "n1", 72}}, SIGKILL, Call());
  BOOST_TEST(got == (std::vector<std::int32_t>{0, 2}), boost::test_tools::per_element());
  for (const char* option : {"--jobid=12\n", "--het-group=1\n", "--overlap\n", "--nodelist=n1,n2\n",
                             "--nodes=2\n", "--mem=0\n"})
    BOOST_TEST(calls().find(option) != std::string::npos, option);
  signal_programs({12, {}}, task(14, 4), 0, {{4, "n1", 70}}, SIGKILL, Call());
  BOOST_TEST(calls().find("--jobid=14\n") != std::string::npos);
  BOOST_TEST(calls().find("--het-group") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(single_programs_of_another_cluster_are_out_of_reach) {
  BOOST_CHECK_EXCEPTION(
      signal_programs({12, "other"}, component(13, 1), 1, {{0, "n1", 70}}, SIGKILL, Call()), Error,
      [](const Error& error) { return error.code() == Code::kUnimplemented; });
}

BOOST_AUTO_TEST_CASE(the_shell_around_a_replica_survives_every_signal_for_a_whole_step) {
  // The signals that report a defect of the process, cannot be caught, stop the process, or belong
  // to the C library.
  const std::set<int> deadly = {SIGILL,  SIGBUS,  SIGFPE,  SIGKILL, SIGSEGV, SIGSTOP,
                                SIGTSTP, SIGTTIN, SIGTTOU, 32,      33};
  for (int signal = 1; signal <= 64; ++signal) {
    const bool survives = deadly.count(signal) == 0;
    BOOST_TEST(wrapper_outlives(signal) == survives, "signal " << signal);
    if (!survives) continue;
    // The traps of the batch script, in a shell that sends the signal to itself.
    const ProgramResult result = run_program({"bash", "-c",
                                              std::string("trap : ") + kPassedOn + "; kill -n " +
                                                  std::to_string(signal) + " $$; echo alive"},
                                             {});
    BOOST_TEST(result.out == "alive\n", "signal " << signal);
  }
}

BOOST_AUTO_TEST_CASE(the_script_on_the_node_signals_only_programs_of_its_app_and_component) {
  // A wrapper as srun starts it, its program and the program's child. The pid of each is written to
  // a file, those of the program and the child when they have set their traps.
  const std::string program = "sh -c 'trap \"echo got >>" + path("got") + "\" USR1; echo $$ >" +
                              path("program") + "; sh -c \"trap \\\"echo got >>" +
                              path("got_by_child") + "\\\" USR1; echo \\$\\$ >" + path("child") +
                              "; while :; do sleep 0.05; done\" & while :; do sleep 0.05; done'";
  install("wrapper", "slipway_part_1() { " + program + " & wait; }\nexport -f slipway_part_1\n" +
                         "SLIPWAY_APP_ID=12 bash -c slipway_part_1 &\necho $! >" + path("wrapper") +
                         "\nuntil [ -s " + path("child") + " ]; do sleep 0.02; done");
  run_program({"bash", "-c", path("bin/wrapper") + " >/dev/null 2>&1 </dev/null"}, {});
  const auto pid_in = [&](const std::string& name) {
    const std::string text = contents(path(name));
    return text.substr(0, text.find('\n'));
  };
  const auto sent = [&](const std::string& app, const std::string& part, const std::string& pid,
                        const std::string& node) {
    return run_program({"env", "SLURMD_NODENAME=n1", "bash", "-c", node_signal_script(), "name",
                        app, part, "10", pid, "7", node},
                       {})
        .out;
  };
  const std::string program_pid = pid_in("program");
  BOOST_TEST(sent("11", "1", program_pid, "n1") == "");
  BOOST_TEST(sent("12", "0", program_pid, "n1") == "");
  BOOST_TEST(sent("12", "1", program_pid, "n2") == "");
  BOOST_TEST(sent("12", "1", pid_in("child"), "n1") == "");
  BOOST_TEST(sent("12", "1", std::to_string(::getpid()), "n1") == "");
  BOOST_TEST(!fs::exists(path("got")));
  BOOST_TEST(sent("12", "1", program_pid, "n1") == "7\n");
  for (const char* file : {"got", "got_by_child"}) {
    for (int left = 600; left > 0 && contents(path(file)).empty(); --left) ::usleep(50'000);
    BOOST_TEST(contents(path(file)) == "got\n", file);
  }
  for (const char* name : {"wrapper", "program", "child"})
    ::kill(std::atoi(pid_in(name).c_str()), SIGKILL);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
