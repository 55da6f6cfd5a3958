// Remembering how apps have ended, so that a process that lists them often reads each of them once.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// Summaries of terminal apps by state root, session and app id: they do not change any more, and
/// the names of deleted apps do not come back. It says nothing about whether an app still exists.
/// Any thread. It holds what was listed last, some 200 bytes an app.
class FinishedApps {
 public:
  /// One for the process: the schedulers of the plug-in see the same apps.
  static FinishedApps& shared();

  /// Copies the summary to `out`; false when it is not known.
  bool find(const std::string& state_root, const std::string& session, const std::string& app_id,
            AppSummary& out) const;
  /// Remembers the terminal ones of `apps`, all that there are below `state_root`, and forgets what
  /// it knew before.
  void replace(const std::string& state_root, const std::vector<AppSummary>& apps);

 private:
  mutable std::mutex mutex_;
  std::string state_root_;
  std::unordered_map<std::string, AppSummary> apps_;  // by `<session>/<app_id>`
};

}  // namespace slipway::local
