// The process that runs the replicas of one app.
#pragma once

#include <string>

#include "app_store.hpp"

namespace runner {

/// Starts the supervisor of the app, which outlives this process. It cancels the app when
/// `owner_fd` reports end-of-file, unless it is -1.
void start_supervisor(const AppStore& store, const std::string& id, const StoredApp& app,
                      int owner_fd);

/// Cancels the app with a grace time; 0 kills it at once. Nothing happens to an app that has ended.
void order_cancel(const AppStore& store, const std::string& id, std::int64_t grace_ms);

}  // namespace runner
