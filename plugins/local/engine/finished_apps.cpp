#include "plugins/local/engine/finished_apps.hpp"

namespace slipway::local {

FinishedApps& FinishedApps::shared() {
  static FinishedApps apps;
  return apps;
}

bool FinishedApps::find(const std::string& state_root, const std::string& session,
                        const std::string& app_id, AppSummary& out) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_root != state_root_) return false;
  const auto found = apps_.find(session + '/' + app_id);
  if (found == apps_.end()) return false;
  out = found->second;
  return true;
}

void FinishedApps::replace(const std::string& state_root, const std::vector<AppSummary>& apps) {
  std::unordered_map<std::string, AppSummary> known;
  for (const AppSummary& app : apps) {
    if (is_terminal(app.state)) known.emplace(app.session + '/' + app.app_id, app);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  state_root_ = state_root;
  apps_.swap(known);
}

}  // namespace slipway::local
