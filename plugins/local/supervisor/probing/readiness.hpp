// Probes replicas until they are ready.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugins/local/supervisor/probing/probe_command.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "sdk/support/line_pattern.hpp"
#include "sdk/support/tcp_probe.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Probes each running replica of a role with a readiness probe until it is ready, has ended, or
/// its time is up, and then never again in that attempt. The first probe comes soon after the
/// start. The pause after each grows with the age of the attempt, up to the probe's interval.
///
/// No call waits: at most kMostAtOnce commands and connections are under way, and each has a
/// timeout, after which a command is killed with its process group. A successor begins its own
/// probes in the time that is left; it needs nothing of its predecessor's. Costs nothing for apps
/// without probes. Not thread safe.
class Readiness {
 public:
  static constexpr std::size_t kMostAtOnce = 16;

  /// `files` and `replicas` must outlive this. `open_files` is RLIMIT_NOFILE for probe commands, if
  /// the supervisor has raised its own. Throws kTemporary if no descriptor is left for epoll.
  Readiness(AppFiles& files, Replicas& replicas, const std::optional<rlimit>& open_files);

  bool has_any() const { return has_any_; }
  bool uses_commands() const { return uses_commands_; }
  /// Sets kProbed in the entries of all replicas that have a probe. Must be called once, for a new
  /// app.
  void mark_all();
  /// Kills the probe commands of a dead predecessor. A successor calls this when it starts, and
  /// again after the end of each unknown child, because it becomes the parent of that child's
  /// children.
  void kill_leftover_commands();

  /// Begins to probe replica `index`, whose entry has the time of its start.
  void watch(std::uint32_t index);
  /// Ends the probes of replicas that have ended. Must be called after replicas have changed.
  void drop_obsolete();
  /// Ends all probes, because the app is being stopped.
  void stop();

  /// Returns when the clock alone requires action; kNever if it does not.
  std::int64_t next_due();
  /// Starts the probes that are due at `now_ns`, and ends those that have exceeded their timeout.
  void on_time(std::int64_t now_ns);
  /// Returns a replica that was not ready when its time ended, at or before `now_ns`. Returns each
  /// replica once; kNoReplica if there is none.
  std::uint32_t take_overdue(std::int64_t now_ns);

  /// Returns the descriptor for the event loop, level-triggered; -1 if no probe uses connections.
  int event_fd() const { return epoll_.get(); }
  /// Handles the connections whose outcome is known.
  void on_event();
  /// Handles the end of child `pid` with wait status `status`, which is not reaped yet. Returns
  /// false if the child is not a probe command.
  bool command_ended(std::int32_t pid, std::int32_t status);

  /// Returns a text for the app's message, such as `db/0 was not ready within 2.5 s: no connection
  /// to port 80: Connection refused`.
  std::string failure_text(std::uint32_t index) const;

 private:
  /// A running replica that is not ready yet.
  struct Waiting {
    std::uint32_t attempt = 0;
    std::uint64_t log_offset = 0;  // up to which its combined.log was searched
    std::string why;               // the failure of the last probe
    bool overdue = false;          // its time is up
  };
  /// A probe command that runs.
  struct Command {
    std::int32_t pid = 0;
    Due timeout;
    bool was_killed = false;
  };
  /// A connection whose outcome is not known yet.
  struct Opening {
    OwnedFd socket;
    Due timeout;
    int error_before = 0;  // errno for the address before; 0: this is the first address
  };

  const ReadyProbe& probe_of(std::uint32_t index) const;
  bool is_current(const Due& due) const;
  bool is_full() const { return commands_.size() + openings_.size() >= kMostAtOnce; }
  void probe(std::uint32_t index, std::int64_t now_ns);
  void run_command(std::uint32_t index);
  void connect(std::uint32_t index, std::int64_t now_ns, int error_before);
  void scan(std::uint32_t index, std::int64_t now_ns);
  void connection_ended(std::uint32_t index, Connection result, int error, int error_before);
  void mark_ready(std::uint32_t index);
  void try_again(std::uint32_t index, std::string why);
  static void kill_command(Command& command);

  AppFiles& files_;
  Replicas& replicas_;
  ProbeCommands starter_;
  bool has_any_ = false;
  bool uses_commands_ = false;
  OwnedFd epoll_;
  std::unordered_map<std::uint32_t, Waiting> waiting_;                        // by replica
  std::unordered_map<std::uint32_t, std::unique_ptr<LinePattern>> patterns_;  // by role
  DueQueue probes_;  // the next probe of each replica
  DueQueue limits_;  // the ends of the times within which replicas must be ready
  std::vector<Command> commands_;
  std::vector<Opening> openings_;
};

}  // namespace slipway::local
