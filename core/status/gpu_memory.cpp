#include "core/status/gpu_memory.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "sdk/support/file_text.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/program.hpp"

namespace slipway {
namespace {

namespace json = boost::json;

constexpr const char* kMember = "gpu_memory_bytes";
// Time and bytes of output; nothing cancels the tool.
constexpr ProgramLimits kLimits{std::chrono::seconds(2), std::size_t{1} << 20, -1};

json::object details_of(const ReplicaStatus& replica) {
  boost::system::error_code error;
  json::value details = json::parse(replica.details_json, error);
  return error || !details.is_object() ? json::object() : std::move(details.get_object());
}

/// Returns whether the replica runs on GPUs that the scheduler gave it.
bool uses_gpus(const ReplicaStatus& replica) {
  // An entry that stands for several replicas lacks the process id of each.
  return replica.state == AppState::kRunning && replica.pid > 0 && replica.count == 1 &&
         replica.details_json.find("\"gpus\"") != std::string::npos;
}

/// Returns the parent of a process; 0 if it has ended.
std::int64_t parent_of(std::int64_t pid) {
  const std::string stat =
      file_text("/proc/" + std::to_string(pid) + "/stat").value_or(std::string());
  // The name in parentheses may contain anything; a letter for the state follows it.
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 > stat.size()) return 0;
  std::string_view rest = std::string_view(stat).substr(name_end + 4);
  return take_plain_number<std::int64_t>(rest).value_or(0);
}

/// Reads lines `PID, MEBIBYTES`. Skips processes whose memory the driver does not know.
std::map<std::int64_t, std::int64_t> memory_of_processes(std::string_view text) {
  std::map<std::int64_t, std::int64_t> out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto pid = take_plain_number<std::int64_t>(line);
    if (!pid || !line.starts_with(", ")) continue;
    line.remove_prefix(2);
    // A process with several GPUs has a line for each.
    if (const auto mebibytes = take_plain_number<std::int64_t>(line))
      out[*pid] += *mebibytes * 1024 * 1024;
  }
  return out;
}

/// Returns the replica that is the process or an ancestor of it, or nullptr. `all` has the replicas
/// by pid.
ReplicaStatus* replica_above(std::int64_t pid, const std::map<std::int64_t, ReplicaStatus*>& all) {
  // Ends the loop even if pids are reused while the parents are read.
  constexpr int kMaxDepth = 64;
  for (int depth = 0; depth < kMaxDepth && pid > 1; ++depth, pid = parent_of(pid)) {
    if (const auto at = all.find(pid); at != all.end()) return at->second;
  }
  return nullptr;
}

}  // namespace

void add_gpu_memory(Description& app) {
  std::map<std::int64_t, ReplicaStatus*> replicas;
  for (RoleStatus& role : app.roles) {
    for (ReplicaStatus& replica : role.replicas)
      if (uses_gpus(replica)) replicas[replica.pid] = &replica;
  }
  if (replicas.empty()) return;
  const auto answer = program_output(
      {"nvidia-smi", "--query-compute-apps=pid,used_gpu_memory", "--format=csv,noheader,nounits"},
      kLimits);
  if (!answer) return;
  std::map<ReplicaStatus*, std::int64_t> sums;
  for (const auto& [pid, bytes] : memory_of_processes(*answer)) {
    if (ReplicaStatus* const replica = replica_above(pid, replicas)) sums[replica] += bytes;
  }
  for (const auto& [replica, bytes] : sums) {
    json::object details = details_of(*replica);
    details[kMember] = bytes;
    replica->details_json = json::serialize(details);
  }
}

std::int64_t gpu_memory_of(const ReplicaStatus& replica) {
  if (replica.details_json.find(kMember) == std::string::npos) return 0;
  const json::object details = details_of(replica);
  const json::value* const bytes = details.if_contains(kMember);
  return bytes != nullptr && bytes->is_int64() ? bytes->get_int64() : 0;
}

}  // namespace slipway
