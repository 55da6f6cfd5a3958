// Starting the commands that ask whether a replica is ready.
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

/// The environment entry of such a command and all that it starts.
inline constexpr std::string_view kProbeMark = "SLIPWAY_LOCAL_PROBE=1";

/// A command runs where its replica does (directory, mounts) and with its environment, as the
/// leader of a session of its own, with /dev/null for its streams, and without the replica's
/// limits. It is killed when we end. Not thread safe.
class ProbeCommands {
 public:
  /// `files` must outlive this. `open_files` as for Launcher.
  ProbeCommands(AppFiles& files, const std::optional<rlimit>& open_files);
  ~ProbeCommands();
  ProbeCommands(const ProbeCommands&) = delete;
  ProbeCommands& operator=(const ProbeCommands&) = delete;

  /// Its pid, a child of ours; or 0, and `why` it cannot be started. Waits for nothing but exec.
  std::int32_t start(std::uint32_t index, std::string& why);

 private:
  struct Prepared;
  void prepare(const LaunchGroup& group, std::int32_t replica);

  AppFiles& files_;
  std::optional<rlimit> open_files_;
  std::unique_ptr<Prepared> prepared_;  // of the last group
};

/// Kills what a supervisor that died has left of such commands among our children, with the process
/// groups of what it finds. `spared` says of a child, by pid and process group, that it is none.
void kill_left_probes(const std::function<bool(std::int32_t pid, std::int32_t group)>& spared);

}  // namespace slipway::local
