// Starts the commands of readiness probes.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// The environment entry of a probe command and everything that it starts. A successor finds these
/// processes by it.
inline constexpr std::string_view kProbeMark = "SLIPWAY_LOCAL_PROBE=1";

/// A command has the working directory, mounts and environment of its replica, but not its limits.
/// It leads its own process session, and its streams are /dev/null. When the supervisor ends, the
/// kernel kills the command, but not the processes that the command has started. Not thread safe.
class ProbeCommands {
 public:
  /// `files` must outlive this. `open_files` is RLIMIT_NOFILE for the commands, if the
  /// supervisor has raised its own.
  ProbeCommands(AppFiles& files, const std::optional<rlimit>& open_files);
  ~ProbeCommands();
  ProbeCommands(const ProbeCommands&) = delete;
  ProbeCommands& operator=(const ProbeCommands&) = delete;

  /// Starts the command for replica `index` and returns the pid of the child when it executes the
  /// program. Returns 0 with the reason in `why` if it cannot be started.
  std::int32_t start(std::uint32_t index, std::string& why);

 private:
  struct Prepared;
  void prepare(const LaunchGroup& group, std::int32_t replica, std::uint32_t attempt);

  AppFiles& files_;
  std::optional<rlimit> open_files_;
  std::unique_ptr<Prepared> prepared_;  // for the group of the last start()
};

/// Kills what the probe commands of a dead predecessor have started, with the process groups. The
/// kernel has made these processes children of this one, a subreaper. `is_needed` returns whether a
/// child, by pid and process group, is a replica or belongs to a probe command of this process.
void kill_leftover_probes(
    const std::function<bool(std::int32_t pid, std::int32_t group)>& is_needed);

}  // namespace slipway::local
