#include "plugins/local/engine/control.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <string_view>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/supervisor_connection.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

/// Number of successors that a command starts, one after the other, before it gives up. A single
/// one may be killed or lack resources.
constexpr int kSuccessors = 3;
/// Number of times that a command sends a request when supervisors die before they answer. A dying
/// process keeps its lock and socket for a moment, so one dead supervisor may cost two requests.
constexpr int kRequests = 2 * kSuccessors;
/// Longest time that a supervisor may take to repair its state file, in milliseconds.
constexpr int kMendMs = 2000;

/// Removes the socket of a supervisor that was killed after it recorded the end of the app.
void remove_dead_socket(int dir_fd) {
  if (socket_inode(dir_fd) == 0) return;
  const OwnedFd lock = try_lock(dir_fd);
  if (!lock) return;
  ::unlinkat(dir_fd, kSocketName, 0);
  ::unlinkat(dir_fd, kSocketDraftName, 0);
}

/// The replicas of one signal request; bit i of `chosen` stands for replica `from` + i.
struct ReplicaBlock {
  std::uint32_t from;
  std::uint64_t chosen;
};

std::vector<ReplicaBlock> blocks_of(const std::vector<std::uint32_t>& replicas) {
  std::vector<ReplicaBlock> out;
  for (const std::uint32_t replica : replicas) {
    if (out.empty() || replica - out.back().from >= kSignalReplicas) out.push_back({replica, 0});
    out.back().chosen |= std::uint64_t{1} << (replica - out.back().from);
  }
  return out;
}

std::string signal_request(int signal, const ReplicaBlock& block) {
  char text[kMaxRequest];
  std::snprintf(text, sizeof text, "%s%d %u %016llx\n", kSignalWord.data(), signal, block.from,
                static_cast<unsigned long long>(block.chosen));
  return text;
}

/// Returns the replicas that the answer to a signal request names, as in ReplicaBlock::chosen; 0
/// for any other line.
std::uint64_t sent_in(std::string_view line) {
  if (!line.starts_with(kSignalledWord)) return 0;
  line.remove_prefix(kSignalledWord.size());
  std::uint64_t sent = 0;
  std::from_chars(line.data(), line.data() + line.size(), sent, 16);
  return sent;
}

/// Starts a successor, which inherits `lock`. Starts none if the record disappears.
void recover(const AppRef& app, HelperPath helper_path, int lock) {
  for (int left = kSuccessors;;) {
    try {
      return start_helper({helper_path(), "recover", app_dir_path(app), lock});
    } catch (const Error& error) {
      // Another command has removed the record: `delete`, or a launch that failed.
      if (!open_app_dir(app)) return;
      // This successor was killed or lacked resources. The next one may succeed.
      if (error.code() != Code::kTemporary || --left == 0) throw;
    }
  }
}

/// Repairs a damaged record, as control.hpp promises for ensure_supervised(). Throws kUnavailable
/// for a foreign record, kInvalid if the helper has killed the processes and cannot rebuild the
/// state file, and the other errors of ensure_supervised().
void repair_record(const AppRef& app, HelperPath helper_path) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return;
  // A supervisor repairs the file before it accepts. If it ends first, a successor repairs it.
  if (lock_is_held(dir.get()) &&
      ask_supervisor(app, dir.get(), kMendRequest, kMendMs) == Answer::kAccepted)
    return;
  require_own_record(app, dir.get());
  if (const OwnedFd lock = try_lock(dir.get())) recover(app, helper_path, lock.get());
}

/// Calls ensure_supervised() for a cancellation. If the record is beyond repair and the helper has
/// killed the processes of the app, sets `killed` and returns nullopt.
std::optional<AppSummary> supervise_or_kill(const AppRef& app, HelperPath helper_path,
                                            bool& killed) {
  try {
    return ensure_supervised(app, helper_path);
  } catch (const Error& damage) {
    if (damage.code() != Code::kInvalid) throw;
  }
  // ensure_supervised() reports only the damage. The helper reports whether it killed the
  // processes.
  try {
    repair_record(app, helper_path);
  } catch (const Error& error) {
    killed = error.code() == Code::kInvalid;
    if (killed) return std::nullopt;
    throw;
  }
  return ensure_supervised(app, helper_path);
}

Error supervisors_died(const AppRef& app) {
  return Error(Code::kTemporary, "every supervisor of the app " + app.app_id + " died",
               "try again");
}

}  // namespace

bool has_supervisor(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  return dir && lock_is_held(dir.get()) && socket_inode(dir.get()) != 0;
}

std::optional<AppSummary> ensure_supervised(const AppRef& app, HelperPath helper_path) {
  const AppDir dir = open_app_dir_to_read(app);
  if (!dir) return std::nullopt;
  // A take-over of another user's record would run that user's programs.
  if (dir.distrust) return read_summary(app, dir.get());
  try {
    const AppSummary summary = read_summary(app, dir.get());
    // This machine does not see the locks and processes of another one.
    if (summary.foreign != Foreign::kNo) return summary;
    if (is_terminal(summary.state)) {
      remove_dead_socket(dir.get());
      return summary;
    }
    if (lock_is_held(dir.get())) return summary;
  } catch (const Error&) {
    try {
      repair_record(app, helper_path);
    } catch (const Error&) {
      // read_summary() reports the damage, which helps more than this error.
    }
    return read_summary(app);
  }
  const OwnedFd lock = try_lock(dir.get());
  // Before this process took the lock, a supervisor may have finished the app, or another command
  // may have removed the record.
  const auto summary = read_summary(app);
  if (!lock || !summary || is_terminal(summary->state)) return summary;
  recover(app, helper_path, lock.get());
  return read_summary(app);
}

std::optional<AppSnapshot> read_repaired(const AppRef& app, HelperPath helper_path, Detail detail) {
  try {
    return read_app(app, detail);
  } catch (const Error& damage) {
    if (damage.code() != Code::kInvalid) throw;
  }
  try {
    repair_record(app, helper_path);
  } catch (const Error&) {
    // read_app() reports the damage.
  }
  return read_app(app, detail);
}

void cancel_app(const AppRef& app, HelperPath helper_path,
                std::optional<std::chrono::milliseconds> grace, bool now) {
  const std::string request =
      now ? std::string(kKillRequest)
          : std::string(kCancelWord) + std::to_string(grace ? grace->count() : -1) + '\n';
  for (int left = kRequests; left > 0; --left) {
    const OwnedFd dir = open_app_dir(app);
    if (dir && ask_supervisor(app, dir.get(), request) == Answer::kAccepted) return;
    bool killed = false;
    const auto summary = supervise_or_kill(app, helper_path, killed);
    if (killed) return;
    if (!summary) throw no_such_app(app);
    if (is_terminal(summary->state)) return;
    require_own(app, *summary);
  }
  throw supervisors_died(app);
}

std::vector<std::uint32_t> signal_replicas(const AppRef& app, HelperPath helper_path, int signal,
                                           const std::vector<std::uint32_t>& replicas) {
  const std::vector<ReplicaBlock> blocks = blocks_of(replicas);
  std::vector<std::uint32_t> out;
  auto block = blocks.begin();
  bool may_have_sent = false;
  // Sends requests until the supervisor does not answer one.
  const auto send_blocks = [&](int dir_fd) {
    OwnedFd socket;
    const Reached reached = reach_supervisor(app, dir_fd, kAnswerMs, socket);
    if (reached == Reached::kUnresponsive) throw no_answer(app, dir_fd);
    for (; reached == Reached::kYes && block != blocks.end(); ++block) {
      const Reply reply =
          exchange(app, dir_fd, socket.get(), signal_request(signal, *block), kAnswerMs);
      may_have_sent = reply.kind == Reply::Kind::kGone;
      if (reply.kind != Reply::Kind::kLine) return;
      const std::uint64_t sent = sent_in(reply.line);
      for (std::uint32_t i = 0; i < kSignalReplicas; ++i) {
        if ((sent >> i & 1U) != 0) out.push_back(block->from + i);
      }
    }
  };
  for (int left = kRequests; left > 0; --left) {
    if (const OwnedFd dir = open_app_dir(app)) send_blocks(dir.get());
    if (block == blocks.end()) return out;
    const auto summary = ensure_supervised(app, helper_path);
    if (!summary) throw no_such_app(app);
    if (is_terminal(summary->state)) return out;
    if (may_have_sent) {
      throw Error(Code::kTemporary,
                  "the supervisor of the app " + app.app_id +
                      " ended before it said which replicas got the signal",
                  "they may have got it: check the replicas before you send it again");
    }
  }
  throw supervisors_died(app);
}

}  // namespace slipway::local
