// The apps whose states the host follows, in this process.
#pragma once

#include <mutex>
#include <set>
#include <string>

namespace slipway::slurm {

/// Counts the host's subscriptions to the states of apps. A host that follows an app queries it
/// regularly, and reports an outage of Slurm, so the reader of the same app's logs must not report
/// the outage again. [any thread]
class FollowedApps {
 public:
  void add(const std::string& app_id) {
    const std::lock_guard lock(mutex_);
    apps_.insert(app_id);
  }
  void remove(const std::string& app_id) {
    const std::lock_guard lock(mutex_);
    if (const auto found = apps_.find(app_id); found != apps_.end()) apps_.erase(found);
  }
  bool contains(const std::string& app_id) const {
    const std::lock_guard lock(mutex_);
    return apps_.count(app_id) != 0;
  }

 private:
  mutable std::mutex mutex_;
  std::multiset<std::string> apps_;
};

}  // namespace slipway::slurm
