// Everything of one app that its supervisor has open.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plugins/local/engine/owned_fd.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/event_log.hpp"

namespace slipway::local {

/// Plan, state and logs of the app whose directory is `dir_fd` (borrowed). Throws Error when the
/// record is damaged or plan and state do not belong together.
class AppFiles {
 public:
  explicit AppFiles(int dir_fd);

  int dir_fd() const { return dir_fd_; }
  /// The app's log directory; empty when it is gone.
  int log_dir_fd() const { return log_dir_.get(); }
  const LaunchPlan& plan() const { return plan_; }
  StateStore& state() { return state_; }
  EventLog& events() { return events_; }

  /// Group of replica `index` (its record's index), and its number within the role.
  std::pair<const LaunchGroup*, std::int32_t> locate(std::uint32_t index) const;

 private:
  int dir_fd_;
  LaunchPlan plan_;
  StateStore state_;
  EventLog events_;
  OwnedFd log_dir_;
  std::vector<OwnedFd> held_files_;          // the plan's, locked
  std::vector<std::uint32_t> group_starts_;  // first record of each group
};

}  // namespace slipway::local
