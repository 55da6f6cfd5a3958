#include "plugins/slurm/engine/slurm_command.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <initializer_list>
#include <utility>

#include "sdk/support/own_environment.hpp"
#include "sdk/support/time_left.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

/// Parts of messages of Slurm that decide the code of the error: here kTemporary, below kDenied.
constexpr std::array<std::string_view, 14> kTemporary = {
    "Unable to contact slurm controller",
    "Unable to contact primary slurm controller",
    "Connection refused",
    "Connection timed out",
    "Connection reset",
    "Socket timed out",
    "Resource temporarily unavailable",
    "temporarily unable to accept job",
    "Zero Bytes were transmitted",
    "Communication connection failure",
    "Unexpected message received",
    "in standby mode",
    "Transport endpoint is not connected",
    "Munge encode failed",
};

constexpr std::array<std::string_view, 5> kDenied = {"Access/permission denied", "Invalid account",
                                                     "Invalid qos", "User's group not permitted",
                                                     "Job violates accounting/QOS policy"};

template <std::size_t N>
bool mentions_one(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool starts_with_one(std::string_view text, const std::initializer_list<std::string_view>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.substr(0, start.size()) == start; });
}

/// Returns whether Slurm's commands get the variable `entry`, "NAME=value"; see run_command().
bool is_passed_on(std::string_view entry) {
  if (starts_with_one(entry, {"SLURM_CONF=", "SLURM_CONF_SERVER=", "SLURM_CLUSTERS=", "SLURM_JWT=",
                              "SLURM_SACK_KEY=", "SLURM_SACK_JWKS="})) {
    return true;
  }
  return !starts_with_one(
      entry, {"SLURM_", "SLURMD_", "SRUN_", "SBATCH_", "SALLOC_", "SQUEUE_", "SACCT_", "SCANCEL_",
              "SCONTROL_", "SINFO_",
              // Of an enclosing replica: its files, ports and hosts, and the functions of its job.
              "TORCHELASTIC_ERROR_FILE=", "PET_LOG_DIR=", "SLIPWAY_PORT_", "SLIPWAY_ROLE_",
              "SLIPWAY_RANK0_HOST=", "BASH_FUNC_slipway_"});
}

StrList slurm_environment() {
  StrList out;
  for (std::string& entry : own_environment()) {
    if (is_passed_on(entry)) out.push_back(std::move(entry));
  }
  return out;
}

std::string seconds(std::chrono::milliseconds time) {
  return std::to_string(time.count() / 1000) + " s";
}

}  // namespace

bool is_temporary(std::string_view message) { return mentions_one(message, kTemporary); }

bool reports_ended_job(const ProgramResult& result) {
  return result.err.find("Invalid job id") != std::string::npos ||
         result.err.find("already completing or completed") != std::string::npos;
}

std::string engine_words(std::string_view standard_error) {
  std::string out;
  for (std::string_view line : split_lines(standard_error)) {
    line = trimmed(line);
    if (line.empty()) continue;
    // Removes the prefix only behind the first word, the name of the command.
    for (const char* prefix : {": error: ", ": fatal: "}) {
      const std::size_t at = line.find(prefix);
      if (at != std::string_view::npos && line.find(' ') == at + 1)
        line.remove_prefix(at + std::string_view(prefix).size());
    }
    out.append(out.empty() ? "" : "; ").append(line);
  }
  return out;
}

void pause_for(std::chrono::milliseconds time, const Call& call) {
  pollfd cancel = {call.cancel_fd(), POLLIN, 0};
  ::poll(&cancel, 1, static_cast<int>(time.count()));
}

ProgramResult run_command(const StrList& argv, ProgramLimits limits) {
  const StrList environment = slurm_environment();
  limits.environment = &environment;
  return run_program(argv, limits);
}

Error not_installed(const std::string& command) {
  return {Code::kPrecondition, command + " is not installed on this host",
          "call slipway on a host of the cluster that users submit from, or put Slurm's commands "
          "on PATH"};
}

ProgramResult ask(const StrList& argv, const Call& call, const Patience& patience) {
  constexpr std::chrono::milliseconds kShortest{1000};  // a query with less time would not end
  std::chrono::milliseconds pause = patience.pause;
  for (int attempt = 1;; ++attempt) {
    const auto limit = time_left(call, patience.limit);
    // 0: no limit of the output. run_command() sets the environment.
    ProgramResult result = run_command(argv, {limit, 0, call.cancel_fd(), nullptr});
    switch (result.end) {
      case ProgramResult::End::kCancelled: throw Error(Code::kCancelled, "cancelled");
      case ProgramResult::End::kNotFound: throw not_installed(argv.front());
      case ProgramResult::End::kTimeout:
        if (limit < kShortest)
          throw Error(Code::kTemporary, "no time was left to ask " + argv.front());
        // No repetition: a command that hangs would hang again, and the caller would wait again.
        throw Error(Code::kTemporary,
                    argv.front() + " did not answer within " + seconds(limit) +
                        (result.err.empty() ? "" : ": " + engine_words(result.err)),
                    "ask again later; `scontrol ping` shows whether the controller is up");
      case ProgramResult::End::kTooMuch:  // no limit was given
      case ProgramResult::End::kExited: break;
    }
    const bool is_outage = result.ok()
                               ? patience.is_outage != nullptr && patience.is_outage(result.out)
                               : is_temporary(result.err);
    if (!is_outage) return result;
    const auto needed = pause + kShortest;
    if (attempt >= patience.attempts || time_left(call, needed) < needed) {
      if (result.ok()) return result;
      throw command_error(argv, result, argv.front() + " failed");
    }
    pause_for(pause, call);
    call.check();
    pause *= 2;
  }
}

namespace {

Error refusal(const StrList& argv, const ProgramResult& result, const std::string& what) {
  std::string words = engine_words(result.err);
  if (words.empty())
    words = argv.front() + " ended with " + std::to_string(result.status) + " and printed nothing";
  const std::string message = what + ": " + words;
  if (is_temporary(result.err)) {
    return {Code::kTemporary, message,
            "try again later; `scontrol ping` shows whether the controller is up"};
  }
  if (mentions_one(result.err, kDenied))
    return {Code::kDenied, message, "ask the administrators of the cluster what you may use"};
  // Matches "Configuration source" and "configuration source".
  if (result.err.find("onfiguration source") != std::string::npos ||
      result.err.find("process configuration file") != std::string::npos ||
      result.err.find("slurm.conf") != std::string::npos) {
    return {Code::kPrecondition, message,
            "this host is not configured for a Slurm cluster; set SLURM_CONF or use another host"};
  }
  return {Code::kInvalid, message};
}

std::string details_of(const StrList& argv, const ProgramResult& result) {
  return boost::json::serialize(boost::json::object{
      {"command", boost::json::value_from(argv)},
      {"exit_status", result.status},
      {"stderr", result.err},
  });
}

}  // namespace

Error command_error(const StrList& argv, const ProgramResult& result, const std::string& what) {
  return refusal(argv, result, what).with_details(details_of(argv, result));
}

}  // namespace slipway::slurm
