#include "plugins/slurm/engine/submission.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <exception>
#include <optional>
#include <thread>

#include "plugins/slurm/engine/cluster_query.hpp"
#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/job_signal.hpp"
#include "plugins/slurm/engine/slurm_command.hpp"
#include "sdk/support/blocked_signals.hpp"
#include "sdk/support/shell_words.hpp"
#include "sdk/support/time_left.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kAttempts = 3;              // largest number of calls of sbatch
constexpr milliseconds kFirstPause{500};  // before the second call; doubles after each pause
constexpr milliseconds kLimit{60000};     // time limit of one sbatch
constexpr milliseconds kLimitAfterCancel{15000};  // for sbatch to end after a cancelled call
constexpr milliseconds kShortestRetry{1000};      // a repetition with less time would not end
constexpr milliseconds kSearchPause{500};
constexpr milliseconds kLongestSearch{60000};

/// Returns a context with the deadline of the call, but without its cancellation.
slipway_call deadline_of(const Call& call) {
  auto out = abi::sized<slipway_call>();
  out.deadline_ns = call.deadline_ns();
  return out;
}

/// Runs sbatch for `limit` at most. Waits for its end even if the call is cancelled, then for
/// kLimitAfterCancel at most: an sbatch that is killed in the middle of a submission leaves a job
/// with an unknown id.
ProgramResult run_sbatch(const StrList& argv, milliseconds limit, const Call& call,
                         const OnMessage& on_message) {
  const WakeEvent give_up;
  const WakeEvent done;
  ProgramResult result;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      // 0: no limit of the output. run_command() sets the environment.
      result = run_command(argv, {limit, 0, give_up.fd(), nullptr});
    } catch (...) {
      failure = std::current_exception();
    }
    done.raise();
  };
  std::thread runner = [&] {
    const BlockedSignals blocked;
    return std::thread(run);
  }();
  pollfd fds[] = {{done.fd(), POLLIN, 0}, {call.cancel_fd(), POLLIN, 0}};
  while (::poll(fds, 2, -1) < 0) {
  }
  if (fds[0].revents == 0) {
    try {
      on_message("sbatch has not answered yet: waiting for it, to cancel the job that it submits");
    } catch (...) {
      // The caller must learn what becomes of the job, even if the user does not get the message.
    }
    while (::poll(fds, 1, static_cast<int>(kLimitAfterCancel.count())) < 0) {
    }
    if (fds[0].revents == 0) give_up.raise();
  }
  runner.join();
  if (failure) std::rethrow_exception(failure);
  return result;
}

/// Returns whether sbatch failed, and its messages prove that the controller did not receive the
/// job: sbatch made no connection, or the controller answered that it does not accept jobs now.
/// Returns false if the messages also report a lost answer, or if a signal ended sbatch: it may
/// have sent the job again after the first message.
bool is_surely_not_submitted(const ProgramResult& result) {
  constexpr std::array<std::string_view, 6> kNotReceived = {
      "(connect failure)",   "Connection refused",
      "Munge encode failed", "temporarily unable to accept job",
      "in standby mode",     "Unable to resolve",
  };
  constexpr std::array<std::string_view, 7> kAnswerLost = {
      "Socket timed out",   "Zero Bytes were transmitted",
      "Unexpected message", "(receive failure)",
      "(send failure)",     "Connection reset",
      "Transport endpoint",
  };
  const auto is_mentioned = [&](std::string_view words) {
    return result.err.find(words) != std::string::npos;
  };
  return result.end == ProgramResult::End::kExited && !result.ok() && !was_killed(result) &&
         std::any_of(kNotReceived.begin(), kNotReceived.end(), is_mentioned) &&
         std::none_of(kAnswerLost.begin(), kAnswerLost.end(), is_mentioned);
}

/// The outcome of a search for the job of an unanswered submission.
struct Search {
  std::string id;       ///< in the form of `sbatch --parsable`; empty: not found
  std::string problem;  ///< why it was not found
};

/// Searches the queue until the job appears, or the controller has answered without it for a
/// MessageTimeout: a request that waits in a slow controller's backlog becomes a job only later.
/// Ends at the deadline of the call, and after kLongestSearch at most. Does not throw the errors of
/// Slurm's commands, because the job may exist even if they fail.
Search search_for(const JobPlan& plan, const Call& call) {
  const Clock::time_point end = Clock::now() + time_left(call, kLongestSearch);
  std::optional<Clock::time_point> enough_at;
  std::string problem = "no time was left to search for it";
  while (Clock::now() < end) {
    try {
      if (const auto id = query_mark(plan.mark, clusters_of(plan), call)) return {*id, {}};
      problem = "the queue does not show it";
      if (enough_at && Clock::now() >= *enough_at) break;
      if (!enough_at) enough_at = Clock::now() + query_message_timeout(call);
    } catch (const Error& error) {
      if (error.code() == Code::kCancelled) return {{}, "the search for it was interrupted"};
      problem = error.message();
      if (error.code() != Code::kTemporary) break;
    }
    pause_for(time_left(call, kSearchPause), call);
    if (call.cancelled()) return {{}, "the search for it was interrupted"};
  }
  return {{}, problem};
}

std::string words_of(const ProgramResult& result) {
  if (result.end == ProgramResult::End::kTimeout) return "sbatch did not answer in time";
  if (result.end == ProgramResult::End::kCancelled) return "sbatch did not answer";
  if (result.ok())
    return "sbatch answered '" + std::string(trimmed(result.out)) + "' instead of a job's id";
  const std::string words = engine_words(result.err);
  return words.empty() ? "sbatch ended with " + std::to_string(result.status) : words;
}

/// Returns the error of a submission that may have left a job.
Error unknown_outcome(const JobPlan& plan, const std::string& what) {
  const std::string clusters = clusters_of(plan);
  return {Code::kOutcomeUnknown, what,
          "look before you submit again: slipway status " + shell_quoted("slurm://" + plan.mark) +
              " (or squeue --me" +
              (clusters.empty() ? "" : " " + shell_quoted("--clusters=" + clusters)) +
              " -o '%i %k', where its comment is [slipway " + plan.mark + "])"};
}

/// Returns the id of the job that sbatch has submitted. If the call was cancelled, cancels the job
/// and throws Error kCancelled.
std::string id_unless_cancelled(const JobPlan& plan, const std::string& id, const Call& call) {
  if (!call.cancelled()) return id;
  const slipway_call context = deadline_of(call);
  // If there is a deadline, the time may not be enough to kill the replicas first.
  const bool now = call.deadline_ns() == 0;
  try {
    cancel_job(id, now, Call(&context, nullptr, nullptr));
  } catch (const Error& error) {
    throw unknown_outcome(
        plan, "interrupted, and job " + id + " may still run: " + std::string(error.message()));
  }
  throw Error(Code::kCancelled, "cancelled; job " + id + " was also cancelled");
}

}  // namespace

std::string submit_job(const JobPlan& plan, const std::string& script_path, const Call& call,
                       const OnMessage& on_message) {
  StrList argv = plan.command;
  if (plan.job_dir) argv.push_back(option_text("chdir", plan.job_dir));
  argv.push_back(script_path);
  const slipway_call context = deadline_of(call);
  const Call uncancelled(&context, nullptr, nullptr);
  milliseconds pause = kFirstPause;
  for (int attempt = 1;; ++attempt) {
    call.check();
    const milliseconds limit = time_left(call, kLimit);
    if (limit.count() == 0) {
      throw Error(Code::kTimeout, "the time limit was over before Slurm had taken the job",
                  "nothing was submitted; try again with more time");
    }
    const ProgramResult result = run_sbatch(argv, limit, call, on_message);
    if (result.end == ProgramResult::End::kNotFound) throw not_installed("sbatch");
    if (result.ok()) {
      const std::string id(trimmed(result.out));
      if (parse_job_id(id)) return id_unless_cancelled(plan, id, call);
    }
    // An sbatch that a signal ended may have sent the job.
    const bool is_answer_lost = result.ok() || result.end != ProgramResult::End::kExited ||
                                result.err.empty() || was_killed(result);
    if (!is_answer_lost && !is_temporary(result.err))
      throw command_error(argv, result, "Slurm refused the job");
    if (!is_surely_not_submitted(result)) {
      // A cancelled call would end the search at once.
      const Search found = search_for(plan, call.cancelled() ? uncancelled : call);
      if (!found.id.empty()) return id_unless_cancelled(plan, found.id, call);
      throw unknown_outcome(plan, "Slurm may or may not have the job: " + words_of(result) +
                                      ", and " + found.problem);
    }
    const milliseconds needed = pause + kShortestRetry;
    if (attempt >= kAttempts || time_left(call, needed) < needed) {
      throw Error(Code::kTemporary, "Slurm did not take the job: " + words_of(result),
                  "nothing was submitted; try again later");
    }
    pause_for(pause, call);
    pause *= 2;
  }
}

namespace {

StrList scancel_on(const JobId& id, StrList options) {
  options.insert(options.begin(), "scancel");
  if (!id.cluster.empty()) options.push_back("--clusters=" + id.cluster);
  return options;
}

/// Kills all steps of the job. First stops the batch script (SIGSTOP). Otherwise the script would
/// report the steps' end as a failure, or requeue the job. Slurm continues the script when it ends
/// the job.
void kill_steps(const JobId& id, const Call& call) {
  StrList steps;
  for (const JobStep& step : query_steps(id, query_own_app(id, call).jobs, call))
    steps.push_back(step.id);
  if (steps.empty()) return;
  ask(scancel_on(id, {"--batch", "--signal=STOP", std::to_string(id.number)}), call);
  signal_steps(id, steps, SIGKILL, call);
}

}  // namespace

void cancel_job(const std::string& app_id, bool now, const Call& call) {
  const auto id = parse_job_id(app_id);
  if (!id) return;
  if (now) {
    // The steps come first, because Slurm sends no signals to a job that it is ending.
    try {
      kill_steps(*id, call);
    } catch (const Error& error) {
      if (error.code() == Code::kCancelled) throw;  // otherwise Slurm kills them after KillWait
    }
  }
  const StrList argv = scancel_on(*id, {std::to_string(id->number)});
  const ProgramResult result = ask(argv, call);
  if (!result.ok() && !reports_ended_job(result))
    throw command_error(argv, result, "cannot cancel job " + app_id);
}

}  // namespace slipway::slurm
