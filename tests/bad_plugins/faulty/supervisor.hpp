// The process that runs the replicas of one app.
#pragma once

#include <string>

#include "tests/bad_plugins/faulty/app_store.hpp"

namespace faulty {

/// Starts the supervisor of the app, which outlives this process. The supervisor cancels the app
/// when `owner_fd`, unless -1, reports end-of-file.
void start_supervisor(const AppStore& store, const std::string& id, const StoredApp& app,
                      int owner_fd);

/// Cancels the app with a grace time; 0 kills it at once. Nothing happens to an app that has ended.
void order_cancel(const AppStore& store, const std::string& id, std::int64_t grace_ms);

}  // namespace faulty
