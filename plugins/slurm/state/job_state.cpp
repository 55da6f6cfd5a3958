#include "plugins/slurm/state/job_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace slipway::slurm {

namespace {

using Word = std::pair<std::string_view, AppState>;

/// TorchX's table of states.
constexpr std::array<Word, 15> kStates = {{
    {"BOOT_FAIL", AppState::kFailed},
    {"CANCELLED", AppState::kCancelled},
    {"COMPLETED", AppState::kSucceeded},
    {"DEADLINE", AppState::kFailed},
    {"FAILED", AppState::kFailed},
    {"NODE_FAIL", AppState::kFailed},
    {"OUT_OF_MEMORY", AppState::kFailed},
    {"PENDING", AppState::kPending},
    {"PREEMPTED", AppState::kFailed},
    {"REQUEUED", AppState::kPending},
    {"RESIZING", AppState::kPending},
    {"REVOKED", AppState::kFailed},
    {"RUNNING", AppState::kRunning},
    {"SUSPENDED", AppState::kPending},
    {"TIMEOUT", AppState::kFailed},
}};

/// Flags, which take precedence over the base state. squeue and scontrol print a flag without the
/// base state.
constexpr std::array<Word, 13> kFlags = {{
    {"REQUEUED", AppState::kPending},
    {"REQUEUE_FED", AppState::kPending},
    {"REQUEUE_HOLD", AppState::kPending},
    {"SPECIAL_EXIT", AppState::kPending},
    {"RESV_DEL_HOLD", AppState::kPending},
    {"EXPEDITING", AppState::kPending},
    {"CONFIGURING", AppState::kPending},
    {"COMPLETING", AppState::kRunning},
    {"STAGE_OUT", AppState::kRunning},
    {"SIGNALING", AppState::kRunning},
    {kStoppedFlag, AppState::kRunning},
    {"RESIZING", AppState::kRunning},
    {"REVOKED", AppState::kFailed},
}};

using Text = std::pair<std::string_view, std::string_view>;

/// Words for the reasons of squeue and scontrol. A reason without words adds nothing to the state.
constexpr std::array<Text, 30> kReasons = {{
    {"Resources", "waiting for resources"},
    {"Priority", "waiting behind jobs of higher priority"},
    {"Dependency", "waiting for the jobs that it depends on"},
    {"DependencyNeverSatisfied",
     "will never start: a job that it depends on did not end as required"},
    {"BeginTime", "its begin time has not come, or it was requeued a moment ago"},
    {"JobHeldUser", "held by its user; `scontrol release` lets it start"},
    {"JobHeldAdmin", "held by an administrator"},
    {"Reservation", "waiting for its reservation to begin"},
    {"ReservationDeleted", "held: its reservation was deleted"},
    {"Licenses", "waiting for licenses"},
    {"ReqNodeNotAvail", "a node that it needs is down, drained or reserved"},
    {"NodeDown", "a node that it needs is down"},
    {"BadConstraints", "no node has the features or the size that it asks for"},
    {"PartitionDown", "its partition is down"},
    {"PartitionInactive", "its partition does not start jobs at present"},
    {"PartitionNodeLimit", "it asks for more nodes than its partition allows"},
    {"PartitionTimeLimit", "it asks for more time than its partition allows"},
    {"PartitionConfig", "it asks for more than its partition allows"},
    {"InvalidAccount", "its account is not valid"},
    {"InvalidQOS", "its QOS is not valid"},
    {"JobArrayTaskLimit", "the array may not run more of its replicas at once"},
    {"Cleaning", "its last run is being cleaned up before it is requeued"},
    {"JobLaunchFailure", "its start failed"},
    {"Prolog", "the nodes are being prepared"},
    {"MaxRequeueExceeded", "it was requeued too often"},
    {"NonZeroExitCode", ""},
    {"RaisedSignal", ""},
    {"TimeLimit", "its time limit has passed"},
    {"OutOfMemory", "it used more memory than it asked for"},
    {"NodeFail", "one of its nodes failed"},
}};

template <std::size_t N, class Value>
const Value* find_word(const std::array<std::pair<std::string_view, Value>, N>& table,
                       std::string_view word) {
  const auto entry =
      std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.first == word; });
  return entry != table.end() ? &entry->second : nullptr;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

AppState first_known_state(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (const AppState* state = find_word(kStates, word)) return *state;
  }
  return AppState::kUnknown;
}

AppState state_with_flags(const std::vector<std::string>& words) {
  const AppState base = first_known_state(words);
  for (const Word& flag : kFlags) {
    if (flag.first == kStoppedFlag && is_terminal(base)) continue;
    if (has(words, flag.first)) return flag.second;
  }
  return base;
}

bool is_stopped(const QueueJob& job) {
  return job.states.size() == 1 && job.states.front() == kStoppedFlag;
}

std::string end_word(const QueueJob& job) {
  if (job.reason == "TimeLimit") return "TIMEOUT";
  if (job.reason == "OutOfMemory") return "OUT_OF_MEMORY";
  if (job.reason == "NodeFail") return "NODE_FAIL";
  if (!job.reason.empty()) return "FAILED";
  return job.signal == 0 && job.exit_code == 0 ? "COMPLETED" : "CANCELLED";
}

std::string reason_text(std::string_view reason) {
  if (reason.empty() || reason == "None") return {};
  // "RaisedSignal:9(Killed)" in newer versions
  const std::string_view* text = find_word(kReasons, reason.substr(0, reason.find(':')));
  if (text != nullptr) return std::string(*text);
  const std::string word(reason);
  if (reason.starts_with("QOS")) return "a limit of its QOS is reached (" + word + ")";
  if (reason.starts_with("Assoc")) return "a limit of its account is reached (" + word + ")";
  // "ReqNodeNotAvail, UnavailableNodes:n1"
  if (reason.starts_with("Nodes_required_for_job") || reason.starts_with("ReqNodeNotAvail"))
    return "nodes that it needs are down, drained or reserved";
  if (reason.starts_with("launch_failed") || reason.starts_with("launch failed"))
    return "its start failed and it is held; `scontrol release` tries again";
  return "Slurm says " + word;
}

std::string_view end_reason(const std::vector<std::string>& words) {
  if (has(words, "OUT_OF_MEMORY")) return "oom";
  if (has(words, "TIMEOUT") || has(words, "DEADLINE")) return "timeout";
  if (has(words, "NODE_FAIL") || has(words, "BOOT_FAIL") || has(words, "PREEMPTED") ||
      has(words, "REVOKED")) {
    return "lost";
  }
  if (has(words, "CANCELLED")) return "cancelled";
  return {};
}

}  // namespace slipway::slurm
