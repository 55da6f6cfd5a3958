#include "plugins/slurm/engine/submission.hpp"

#include <poll.h>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/slurm_command.hpp"

namespace slipway::slurm {

namespace {

constexpr int kAttempts = 3;
constexpr int kFirstPauseMs = 500;
constexpr std::chrono::milliseconds kLimit{60000};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The job that a call left whose answer was lost.
std::string find_lost(const JobPlan& plan, const std::string& why, const Call& call) {
  try {
    const auto job = query_mark(plan.mark, call);
    return job ? std::to_string(job->app_id()) : std::string();
  } catch (const Error& error) {
    if (error.code() == Code::kCancelled) throw;
    throw Error(Code::kTemporary,
                why + "; whether the job was submitted could not be found out: " + error.message(),
                "look for it before you submit again: squeue --me -o '%i %k' shows the comment "
                "[slipway " +
                    plan.mark + "]");
  }
}

void check_known_end(const ProgramResult& result) {
  if (result.end == ProgramResult::End::kNotFound) {
    throw Error(Code::kPrecondition, "sbatch is not installed on this host",
                "call slipway on a host of the cluster that users submit from, or put Slurm's "
                "commands on PATH");
  }
}

}  // namespace

std::string submit_job(const JobPlan& plan, const std::string& script_path, const Call& call) {
  StrList argv = plan.command;
  if (plan.job_dir) argv.push_back(option_text("chdir", plan.job_dir));
  argv.push_back(script_path);
  int pause_ms = kFirstPauseMs;
  for (int attempt = 1;; ++attempt) {
    const ProgramResult result = run_program(argv, {kLimit, 0, call.cancel_fd()});
    check_known_end(result);
    if (result.ok()) {
      const std::string id = trimmed(result.out);
      if (parse_job_id(id)) return id;
    }
    const bool is_answer_lost = result.ok() || result.end != ProgramResult::End::kExited;
    if (!is_answer_lost && !is_temporary(result.err))
      throw command_error(argv, result, "Slurm refused the job");
    const std::string why =
        result.end == ProgramResult::End::kTimeout     ? "sbatch did not answer in time"
        : result.end == ProgramResult::End::kCancelled ? "cancelled while submitting"
        : result.ok() ? "sbatch answered '" + trimmed(result.out) + "' instead of a job's id"
                      : engine_words(result.err);
    if (result.end == ProgramResult::End::kCancelled) {
      // Searched for without the call's cancellation, so that nothing is left behind.
      const std::string left = find_lost(plan, why, Call());
      if (!left.empty()) cancel_job(left, true, Call());
      throw Error(Code::kCancelled, "cancelled");
    }
    const std::string found = find_lost(plan, why, call);
    if (!found.empty()) return found;
    if (attempt >= kAttempts || result.ok()) {
      throw Error(result.ok() ? Code::kUnavailable : Code::kTemporary,
                  "Slurm did not take the job: " + why, "nothing was submitted; try again later");
    }
    pollfd cancel = {call.cancel_fd(), POLLIN, 0};
    ::poll(&cancel, 1, pause_ms);
    call.check();
    pause_ms *= 2;
  }
}

void cancel_job(const std::string& app_id, bool now, const Call& call) {
  const auto id = parse_job_id(app_id);
  if (!id) return;
  StrList argv = {"scancel"};
  if (!id->cluster.empty()) argv.push_back("--clusters=" + id->cluster);
  StrList gentle = argv;
  gentle.push_back(std::to_string(id->number));
  const ProgramResult result = ask(gentle, call);
  const bool is_gone = result.err.find("Invalid job id") != std::string::npos ||
                       result.err.find("already completing or completed") != std::string::npos;
  if (!result.ok() && !is_gone) throw command_error(gentle, result, "cannot cancel job " + app_id);
  if (!now || is_gone) return;
  // Best effort: the job is being ended already, this only saves it the rest of KillWait.
  argv.insert(argv.end(), {"--signal=KILL", "--full", std::to_string(id->number)});
  ask(argv, call);
}

}  // namespace slipway::slurm
