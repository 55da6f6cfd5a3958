#include "plugins/slurm/engine/submission.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <map>
#include <sstream>
#include <stdexcept>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

/// The object behind the ABI's opaque cancellation: a FIFO, by which a command of Slurm cancels the
/// call that runs it.
struct slipway_cancel {
  slipway::OwnedFd fifo;
};

namespace slipway::slurm::test {
namespace {

/// The code of refusal() if the job was taken.
constexpr Code kTaken = Code::kInternal;

struct SubmissionFixture : SlurmFixture {
  /// Installs an sbatch that counts its calls; `behaviour` sees the count in $n.
  void install_sbatch(const std::string& behaviour) const {
    install("sbatch",
            "echo x >>" + path("calls") + "; n=$(wc -l <" + path("calls") + ")\n" + behaviour);
  }
  /// Returns the number of calls; each wrote two bytes.
  std::size_t calls() const { return contents(path("calls")).size() / 2; }
  std::string submit() const { return submit_in(Call()); }
  std::string submit_in(const Call& call, const SlurmOptions& options = {}) const {
    return submit_job(plan(app_of(Role("w").runs("x")), options), "/x/job.sh", call,
                      /*on_message=*/[](const std::string&) {});
  }
  Error refusal() const {
    return refusal_of([&] { submit(); });
  }
  /// Returns the error of a submission in a call that ends after `time`.
  Error refusal_within(std::chrono::milliseconds time) const {
    const JobPlan job = plan(app_of(Role("w").runs("x")));
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    auto raw = abi::sized<slipway_call>();
    raw.deadline_ns = std::chrono::nanoseconds(now + time).count();
    const Call call(&raw, nullptr, nullptr);
    return refusal_of([&] { submit_job(job, "/x/job.sh", call, [](const std::string&) {}); });
  }
  /// Returns the error of a submission whose sbatch cancels the call by a line in the FIFO
  /// `cancel`. `on_message` gets the message about that.
  Error refusal_when_cancelled(const OnMessage& on_message) const {
    const JobPlan job = plan(app_of(Role("w").runs("x")));
    BOOST_REQUIRE(::mkfifo(path("cancel").c_str(), 0600) == 0);
    const slipway_cancel cancel{OwnedFd(::open(path("cancel").c_str(), O_RDWR | O_CLOEXEC))};
    slipway_host host{};
    host.struct_size = sizeof host;
    host.cancel_fd = [](const slipway_cancel* self) { return self->fifo.get(); };
    host.cancel_requested = [](const slipway_cancel* self) {
      pollfd request{self->fifo.get(), POLLIN, 0};
      return ::poll(&request, 1, 0) > 0 ? 1 : 0;
    };
    auto raw = abi::sized<slipway_call>();
    raw.cancel = &cancel;
    const Call call(&raw, &host, nullptr);
    return refusal_of([&] { submit_job(job, "/x/job.sh", call, on_message); });
  }

 private:
  template <class Submit>
  static Error refusal_of(const Submit& submit) {
    try {
      submit();
    } catch (const Error& error) {
      return error;
    }
    return {kTaken, "it was taken"};
  }
};

SlurmOptions on_clusters(const std::string& clusters) {
  SlurmOptions out;
  out.sbatch = {{"clusters", clusters}};
  return out;
}

constexpr const char* kNoJobs = ":";
// id, state, submitted, name, comment
constexpr const char* kTheJob =
    "printf '5\\x1fPENDING\\x1f\\x1fw\\x1f[slipway s/other-1]\\n';"
    "printf '42\\x1fPENDING\\x1f\\x1fw\\x1f[slipway s/app-x1]\\n'";
constexpr const char* kTimedOut =
    "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' "
    ">&2; exit 1";

BOOST_FIXTURE_TEST_SUITE(Submission, SubmissionFixture)

BOOST_AUTO_TEST_CASE(returns_the_id_that_sbatch_prints) {
  install_sbatch("printf ' 77;east \\n'");
  BOOST_TEST(submit() == "77;east");
}

BOOST_AUTO_TEST_CASE(submits_again_after_a_short_outage_of_the_controller) {
  install("squeue", kNoJobs);
  install_sbatch(
      "((n < 3)) && { echo 'sbatch: error: Unable to contact slurm controller (connect failure)' "
      ">&2; exit 1; }\n"
      "echo 8");
  BOOST_TEST(submit() == "8");
  BOOST_TEST(calls() == 3u);
}

BOOST_AUTO_TEST_CASE(finds_the_job_whose_answer_was_lost_and_does_not_submit_it_again) {
  install("squeue", kTheJob);
  install_sbatch(kTimedOut);
  BOOST_TEST(submit() == "42");
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(a_job_of_an_sbatch_that_was_busy_and_then_gave_no_id_is_searched_for) {
  for (const char* end : {"kill -9 $$", "echo 'site: welcome'"}) {
    BOOST_TEST_CONTEXT(end) {
      install_sbatch(
          std::string("echo 'sbatch: error: Slurm temporarily unable to accept job, sleeping and "
                      "retrying' >&2; ") +
          end);
      install("squeue", kTheJob);
      const auto before = calls();
      BOOST_TEST(submit() == "42");
      BOOST_TEST(calls() == before + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_sbatch_lost_after_its_own_repetition_is_searched_for) {
  install_sbatch(
      "echo 'sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying' >&2\n"
      "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv' >&2; exit "
      "1");
  install("squeue", kTheJob);
  BOOST_TEST(submit() == "42");
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(the_job_of_an_sbatch_that_a_signal_ended_is_searched_for) {
  install_sbatch("echo 'sbatch: lua: account physics' >&2; kill -9 $$");
  install("squeue", kTheJob);
  BOOST_TEST(submit() == "42");
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(waits_for_a_job_that_a_slow_controller_creates_later) {
  install("scontrol", "echo 'MessageTimeout          = 60 sec'");
  install("squeue", "echo x >>" + path("looks") + "; if (($(wc -l <" + path("looks") +
                        ") > 2)); then " + kTheJob + "; fi");
  install_sbatch(kTimedOut);
  BOOST_TEST(submit() == "42");
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(an_unanswered_submission_is_not_repeated_and_the_message_says_where_to_look) {
  install("scontrol", "echo 'MessageTimeout          = 1 sec'");
  install("squeue", kNoJobs);
  install_sbatch(kTimedOut);
  const Error error = refusal();
  BOOST_TEST((error.code() == Code::kOutcomeUnknown));
  BOOST_TEST(error.hint().find("slipway status slurm://s/app-x1") != std::string::npos);
  BOOST_TEST(calls() == 1u);
}

// squeue prints the names of clusters only with --clusters, and not with --noheader.
BOOST_AUTO_TEST_CASE(a_job_whose_answer_was_lost_is_found_on_the_cluster_that_got_it) {
  install("squeue",
          "[[ \" $* \" == *' --clusters=west,east '* && \" $* \" != *' --noheader '* ]] || exit 0\n"
          "echo 'CLUSTER: west'; printf 'JOBID\\x1fSTATE\\x1fSUBMIT_TIME\\x1fNAME\\x1fCOMMENT\\n'\n"
          "echo; echo 'CLUSTER: east'; " +
              std::string(kTheJob));
  install_sbatch(kTimedOut);
  BOOST_TEST(submit_in(Call(), on_clusters("west,east")) == "42;east");
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(the_command_that_finds_a_job_names_its_clusters) {
  install("squeue", "echo 'slurm_load_jobs error: Access/permission denied' >&2; exit 1");
  install_sbatch(kTimedOut);
  BOOST_CHECK_EXCEPTION(submit_in(Call(), on_clusters("west,east")), Error, [](const Error& error) {
    return error.hint().find("squeue --me --clusters=west,east ") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(an_sbatch_that_has_not_answered_at_the_deadline_has_an_unknown_outcome) {
  install("squeue", kNoJobs);
  install_sbatch("exec sleep 600");
  const Error error = refusal_within(std::chrono::seconds(2));
  BOOST_TEST((error.code() == Code::kOutcomeUnknown));
  BOOST_TEST(error.message() ==
             "Slurm may or may not have the job: sbatch did not answer in time, and no time was "
             "left to search for it");
  BOOST_TEST(error.hint().find("slipway status slurm://s/app-x1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_queue_that_never_answers_is_not_said_to_lack_the_job) {
  install("squeue", "echo 'squeue: error: Unable to contact slurm controller' >&2; exit 1");
  install_sbatch(kTimedOut);
  const Error error = refusal_within(std::chrono::seconds(2));
  BOOST_TEST((error.code() == Code::kOutcomeUnknown));
  BOOST_TEST(error.message().find("does not show it") == std::string::npos);
  BOOST_TEST(calls() <= 1u);
}

BOOST_AUTO_TEST_CASE(nothing_is_submitted_after_the_deadline) {
  install_sbatch("echo 8");
  const Error error = refusal_within(std::chrono::seconds(-1));
  BOOST_TEST((error.code() == Code::kTimeout));
  BOOST_TEST(calls() == 0u);
}

BOOST_AUTO_TEST_CASE(a_submission_is_not_repeated_shortly_before_the_deadline) {
  install_sbatch("echo 'sbatch: error: Connection refused' >&2; exit 1");
  // sbatch is repeated only if the first pause and another second are left.
  BOOST_TEST((refusal_within(std::chrono::milliseconds(1400)).code() != kTaken));
  BOOST_TEST(calls() <= 1u);
}

BOOST_AUTO_TEST_CASE(a_message_that_fails_does_not_hide_the_job_of_a_cancelled_call) {
  install("scancel", "echo \"$*\" >" + path("cancelled"));
  install_sbatch("echo x >" + path("cancel") + "; until [[ -e " + path("go") +
                 " ]]; do sleep 0.01; done; echo 8");
  const Error error = refusal_when_cancelled([&](const std::string&) {
    std::ofstream(path("go")) << "x";
    throw std::runtime_error("no memory");
  });
  BOOST_TEST((error.code() == Code::kCancelled));
  BOOST_TEST(error.message() == "cancelled; job 8 was also cancelled");
  BOOST_TEST(contents(path("cancelled")) == "8\n");
}

BOOST_AUTO_TEST_CASE(the_thread_that_waits_for_sbatch_gets_no_signals) {
  install_sbatch(
      "for task in /proc/$PPID/task/*; do\n"
      "  [[ ${task##*/} == $PPID ]] || grep -h ^SigBlk: $task/status\n"
      "done >" +
      path("blocked") + "\necho 8");
  submit();
  std::istringstream lines(contents(path("blocked")));
  std::string title;
  unsigned long long blocked = 0;
  int threads = 0;
  for (; lines >> title >> std::hex >> blocked; ++threads) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1})
      BOOST_TEST((blocked >> (signal - 1) & 1) == 1u);
  }
  BOOST_TEST(threads > 0);
}

BOOST_AUTO_TEST_CASE(submits_again_when_no_connection_was_made) {
  install_sbatch("echo 'sbatch: error: Connection refused' >&2; exit 1");
  const Error error = refusal();
  BOOST_TEST((error.code() == Code::kTemporary));
  BOOST_TEST(error.hint().find("nothing was submitted") != std::string::npos);
  BOOST_TEST(calls() == 3u);
}

BOOST_AUTO_TEST_CASE(slurms_commands_do_not_get_the_variables_of_an_enclosing_job) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  ::setenv("SBATCH_PARTITION", "other", 1);
  ::setenv("SLURM_CONF", "/x/slurm.conf", 1);
  install_sbatch("env >" + path("environment") + "; echo 8");
  submit();
  ::unsetenv("SLURM_JOB_ID");
  ::unsetenv("SBATCH_PARTITION");
  ::unsetenv("SLURM_CONF");
  const std::string seen = contents(path("environment"));
  BOOST_TEST(seen.find("SLURM_JOB_ID=") == std::string::npos);
  BOOST_TEST(seen.find("SBATCH_PARTITION=") == std::string::npos);
  BOOST_TEST(seen.find("SLURM_CONF=/x/slurm.conf") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(slurms_commands_do_not_get_the_files_and_ports_of_an_enclosing_replica) {
  const std::map<std::string, std::string> outer = {
      {"TORCHELASTIC_ERROR_FILE", "/outer/error.json"},
      {"PET_LOG_DIR", "/outer/logs"},
      {"SLIPWAY_PORT_HTTP", "1"},
      {"SLIPWAY_ROLE_KV_HOST", "outer"},
      {"SLIPWAY_RANK0_HOST", "outer"},
      {"BASH_FUNC_slipway_part_3%%", "() {  :\n}"}};
  for (const auto& [name, value] : outer) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv("PET_NNODES", "2", 1);  // of the user's shell
  install_sbatch("env >" + path("environment") + "; echo 8");
  submit();
  for (const auto& [name, value] : outer) ::unsetenv(name.c_str());
  ::unsetenv("PET_NNODES");
  const std::string seen = contents(path("environment"));
  for (const auto& [name, value] : outer)
    BOOST_TEST(seen.find(name + "=") == std::string::npos, name);
  BOOST_TEST(seen.find("PET_NNODES=2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_final_and_quotes_slurm) {
  install_sbatch(
      "echo 'sbatch: error: invalid partition specified: nope' >&2\n"
      "echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2\n"
      "exit 1");
  const Error error = refusal();
  BOOST_TEST((error.code() == Code::kInvalid));
  BOOST_TEST(error.message() ==
             "Slurm refused the job: invalid partition specified: nope; Batch job submission "
             "failed: Invalid partition name specified");
  const boost::json::object details = boost::json::parse(error.details()).as_object();
  BOOST_TEST(details.at("command").at(0).as_string() == "sbatch");
  BOOST_TEST(details.at("exit_status").as_int64() == 1);
  BOOST_TEST(details.at("stderr").as_string().starts_with("sbatch: error: invalid partition"));
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(an_account_without_permission_is_denied) {
  install_sbatch("echo 'sbatch: error: Invalid account or account/partition' >&2; exit 1");
  BOOST_TEST((refusal().code() == Code::kDenied));
}

BOOST_AUTO_TEST_CASE(an_answer_without_an_id_has_an_unknown_outcome) {
  install("scontrol", "echo 'MessageTimeout = 1 sec'");
  install("squeue", kNoJobs);
  install_sbatch(":");
  BOOST_CHECK_EXCEPTION(submit(), Error,
                        [](const Error& error) { return error.code() == Code::kOutcomeUnknown; });
  BOOST_TEST(calls() == 1u);
}

BOOST_AUTO_TEST_CASE(a_missing_sbatch_is_reported) {
  ::setenv("PATH", path("bin").c_str(), 1);
  BOOST_TEST((refusal().code() == Code::kPrecondition));
}

BOOST_AUTO_TEST_CASE(cancelling_a_job_that_has_ended_is_not_an_error) {
  install(
      "scancel",
      "echo 'scancel: error: Kill job error on job id 9: Invalid job id specified' >&2; exit 1");
  BOOST_CHECK_NO_THROW(cancel_job("9", /*now=*/false, Call()));
}

BOOST_AUTO_TEST_CASE(cancelling_what_is_no_job_starts_no_command) {
  install("scancel", "echo x >" + path("called"));
  BOOST_CHECK_NO_THROW(cancel_job("no id", /*now=*/false, Call()));
  BOOST_TEST(contents(path("called")).empty());
}

BOOST_AUTO_TEST_CASE(a_command_that_hangs_is_killed) {
  install("squeue", "sleep 600 & echo $! >" + path("pid") + "; wait");
  // On a loaded machine a short limit passes before the command has started its child.
  for (int limit_ms = 300; contents(path("pid")).empty() && limit_ms < 200000; limit_ms *= 3) {
    Patience patience;
    patience.limit = std::chrono::milliseconds(limit_ms);
    BOOST_CHECK_EXCEPTION(ask({"squeue"}, Call(), patience), Error,
                          [](const Error& error) { return error.code() == Code::kTemporary; });
  }
  BOOST_REQUIRE(!contents(path("pid")).empty());
  // The command's child is also killed, but disappears a moment later.
  const std::string process =
      "/proc/" + std::to_string(std::stoi(contents(path("pid")))) + "/cmdline";
  for (int i = 0; i < 6000 && contents(process).find("sleep") != std::string::npos; ++i)
    ::usleep(10000);
  BOOST_TEST(contents(process).find("sleep") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_failed_query_is_repeated_twice) {
  install("squeue", "echo x >>" + path("calls") +
                        "; echo 'squeue: error: Resource temporarily unavailable' >&2; exit 1");
  Patience patience;
  patience.pause = std::chrono::milliseconds(1);
  BOOST_CHECK_EXCEPTION(ask({"squeue"}, Call(), patience), Error,
                        [](const Error& error) { return error.code() == Code::kTemporary; });
  BOOST_TEST(calls() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
