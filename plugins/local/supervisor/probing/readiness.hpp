// Asking replicas whether they are ready.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugins/local/logs/line_pattern.hpp"
#include "plugins/local/supervisor/probing/probe_command.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Looks at each running replica whose role has a probe until it is ready, has ended, or its time
/// is up; then never again in that attempt. The first look comes soon after the start, the pause
/// between two grows with what has passed since, up to the probe's interval. No call waits for
/// anything: at most kMostAtOnce commands and connections are under way, and each is given up after
/// its timeout, a command with its process group. Of a predecessor's looks nothing is needed: a
/// successor begins again, in the time that is left. Costs nothing for apps without probes. Not
/// thread safe.
class Readiness {
 public:
  static constexpr std::size_t kMostAtOnce = 16;

  /// All must outlive this. `open_files` as for Launcher. Throws kUnavailable when there is no
  /// descriptor for epoll.
  Readiness(AppFiles& files, Replicas& replicas, const std::optional<rlimit>& open_files);

  bool any() const { return any_; }
  /// Makes the records say which replicas are asked: once, for a fresh app.
  void mark_all();
  /// Kills what a predecessor's commands have left among our children. For a successor: at once,
  /// and whenever it has lost a child that it did not know, whose children are its own from then
  /// on.
  void clear_left();
  bool uses_commands() const { return uses_commands_; }

  /// Replica `index` runs (its record says since when).
  void watch(std::uint32_t index);
  /// Lets go of what is under way for replicas that have ended. After each change of theirs.
  void tidy();
  /// Ends all of it: the app is being stopped.
  void stop();

  /// When the clock brings something to do; kNever when it does not.
  std::int64_t next_due();
  /// Takes the looks that are due at `now_ns`, and gives up those that take too long.
  void on_time(std::int64_t now_ns);
  /// A replica that was to be ready by `now_ns` and is not, each one once; PidTable::kNone: no
  /// more.
  std::uint32_t take_overdue(std::int64_t now_ns);

  /// For the event loop, level-triggered; -1 when nothing is ever connected to.
  int event_fd() const { return epoll_.get(); }
  void on_event();
  /// Child `pid` has ended with wait status `status` and was not reaped yet. True if it was a
  /// command of ours.
  bool ended(std::int32_t pid, std::int32_t status);
  /// Whether a command runs, or was killed and not reaped yet.
  bool has_commands() const { return !commands_.empty(); }

  /// `db/0 was not ready within 2.5 s: nothing listens at port 80`, for the status.
  std::string complaint(std::uint32_t index) const;

 private:
  struct Waiting {
    std::uint32_t attempt = 0;
    std::uint64_t log_offset = 0;
    std::string why;  // what the last look found
    bool overdue = false;
  };
  struct Command {
    std::int32_t pid = 0;
    Due due;
    bool given_up = false;
  };
  struct Opening {
    OwnedFd socket;
    Due due;
    int error = 0;  // why the address before this one could not be reached
  };

  const ReadyProbe& probe(std::uint32_t index) const;
  bool holds(const Due& due) const;
  bool full() const { return commands_.size() + openings_.size() >= kMostAtOnce; }
  void look(std::uint32_t index, std::int64_t now_ns);
  void connect(std::uint32_t index, std::int64_t now_ns, int error_before);
  void scan(std::uint32_t index, std::int64_t now_ns);
  void connected(std::uint32_t index, bool up, int error, int error_before);
  void ready(std::uint32_t index);
  void not_yet(std::uint32_t index, std::string why);
  static void kill_command(Command& command);

  AppFiles& files_;
  Replicas& replicas_;
  ProbeCommands starter_;
  bool any_ = false;
  bool uses_commands_ = false;
  OwnedFd epoll_;
  std::unordered_map<std::uint32_t, Waiting> waiting_;                        // by replica index
  std::unordered_map<std::uint32_t, std::unique_ptr<LinePattern>> patterns_;  // by role
  DueQueue looks_;
  DueQueue limits_;
  std::vector<Command> commands_;
  std::vector<Opening> openings_;
};

}  // namespace slipway::local
