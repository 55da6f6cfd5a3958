#include "plugins/local/supervisor/ending/kill_ladder.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/process_handle.hpp"
#include "plugins/local/supervisor/processes/process_identity.hpp"
#include "plugins/local/supervisor/processes/process_tree.hpp"

namespace slipway::local {
namespace {

/// Finding strays means scanning all descendants, so wait until most of them have exited.
constexpr std::int64_t kStraysAfterNs = 50'000'000;

}  // namespace

std::int64_t KillLadder::next_due() {
  if (is_killing_) return kNever;
  const Due* kill = first_kill();
  return std::min({due_ns_, strays_due_ns_, kill != nullptr ? kill->due_ns : kNever});
}

void KillLadder::on_time(std::int64_t now_ns) {
  if (is_killing_) return;
  if (due_ns_ <= now_ns) return kill_all();
  if (strays_due_ns_ <= now_ns) terminate_strays();
  for (const Due* kill = first_kill(); kill != nullptr && kill->due_ns <= now_ns;
       kill = first_kill()) {
    signal_one(kill->index, SIGKILL);
    kills_.pop();
  }
}

const Due* KillLadder::first_kill() {
  return kills_.first([this](const Due& due) {
    return replicas_.is_running(due.index) && replicas_.attempt(due.index) == due.attempt;
  });
}

void KillLadder::stop_one(std::uint32_t index) {
  const std::int64_t grace_ns = grace_of(files_.role_of(index)) * 1'000'000;
  signal_one(index, grace_ns == 0 ? SIGKILL : SIGTERM);
  if (grace_ns == 0) return;
  // A stopped process handles SIGTERM only when it continues.
  signal_one(index, SIGCONT);
  kills_.push({boottime_ns() + grace_ns, index, replicas_.attempt(index)});
}

void KillLadder::terminate() {
  signal_groups(SIGTERM);
  // A stopped process handles SIGTERM only when it continues.
  signal_groups(SIGCONT);
  strays_due_ns_ = boottime_ns() + kStraysAfterNs;
}

void KillLadder::terminate_strays() {
  strays_due_ns_ = kNever;
  for (const std::int32_t pid : all_descendants()) {
    if (is_in_replica_group(pid)) continue;
    if (terminated_strays_.count(pid) != 0 || !signal_descendant(pid, SIGTERM)) continue;
    terminated_strays_.insert(pid);
    signal_descendant(pid, SIGCONT);
  }
  if (orphans_.may_exist()) orphans_.signal_strays(SIGTERM);
}

bool KillLadder::is_in_replica_group(std::int32_t pid) const {
  return replicas_.find(pid) != kNoReplica || replicas_.find(::getpgid(pid)) != kNoReplica;
}

void KillLadder::arm(std::int64_t ms) {
  const std::int64_t last_ms = time_of(ms);
  if (last_ms == 0) return kill_all();
  // A client may ask for any time.
  const std::int64_t due_ns = boottime_ns() + std::min(last_ms, kLongestTimeMs) * 1'000'000;
  due_ns_ = std::min(due_ns_, due_ns);
  if (ms == kGraceOfRoles) kill_after_own_grace(last_ms);
}

std::int64_t KillLadder::time_of(std::int64_t grace_ms) const {
  return grace_ms == kGraceOfRoles ? longest_grace() : grace_ms;
}

std::int64_t KillLadder::grace_of(std::uint32_t role) const {
  return files_.roles()[role].rules.grace_ms.value_or(files_.plan().rules.grace_ms);
}

std::int64_t KillLadder::longest_grace() const {
  std::int64_t longest = 0;
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role)
    longest = std::max(longest, grace_of(role));
  return longest;
}

void KillLadder::kill_after_own_grace(std::int64_t longest_ms) {
  const std::int64_t now = boottime_ns();
  replicas_.for_each_running([&](std::uint32_t index, std::int32_t) {
    const std::int64_t grace_ms = grace_of(files_.role_of(index));
    if (grace_ms < longest_ms)
      kills_.push({now + grace_ms * 1'000'000, index, replicas_.attempt(index)});
  });
}

bool KillLadder::signal_one(std::uint32_t index, int signal) {
  const std::int32_t pid = replicas_.pid(index);
  if (orphans_.owns(index)) return orphans_.signal(index, pid, signal);
  // A child whose supervisor died during the start may not lead its group yet.
  return ::kill(-pid, signal) == 0 || ::kill(pid, signal) == 0;
}

std::uint64_t KillLadder::signal_chosen(int signal, std::uint32_t from, std::uint64_t chosen) {
  const std::uint32_t count = replicas_.count();
  std::uint64_t sent = 0;
  for (std::uint32_t i = 0; i < kSignalReplicas && from < count && i < count - from; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    // The pid of a running replica is its own: the replica is an unreaped child, or a pidfd holds
    // its pid.
    if ((chosen & bit) != 0 && replicas_.is_running(from + i) && signal_one(from + i, signal))
      sent |= bit;
  }
  return sent;
}

void KillLadder::kill_session(std::int32_t pid) {
  ::kill(-pid, SIGKILL);
  for (const std::int32_t child : all_descendants()) {
    ProcessStat stat;
    const auto is_in_session = [&] { return read_process(child, stat) && stat.session == pid; };
    if (child != pid) ProcessHandle(child, is_in_session).send(SIGKILL);
  }
}

void KillLadder::signal_groups(int signal) {
  replicas_.for_each_running([&](std::uint32_t index, std::int32_t) { signal_one(index, signal); });
}

void KillLadder::kill_all() {
  is_killing_ = true;
  cgroups_.kill_all();
  signal_groups(SIGKILL);
  for (const std::int32_t pid : all_descendants()) {
    if (!is_in_replica_group(pid)) signal_descendant(pid, SIGKILL);
  }
  if (orphans_.may_exist()) orphans_.signal_strays(SIGKILL);
}

/// When a process dies, its children become children of this process, and each death wakes the
/// event loop. So repeated calls reach every generation. A child keeps its pid because nothing is
/// reaped meanwhile.
void KillLadder::kill_own_strays() {
  for (const std::int32_t pid : direct_children()) {
    if (replicas_.find(pid) == kNoReplica) ::kill(pid, SIGKILL);
  }
}

}  // namespace slipway::local
