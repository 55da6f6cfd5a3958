// Lists apps for checks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// A copy of an item of a list.
struct ListedApp {
  std::string session;
  std::int64_t submitted_at_ns = 0;
};

/// The result of list. `calls` counts the calls of the callback, which returns `stop`.
struct ListedApps : Answer {
  std::map<std::string, ListedApp> apps;  ///< by id
  std::vector<std::string> ids;           ///< in the order of the callbacks
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
};

/// Lists apps with the hints of `query`.
ListedApps list(const SchedulerUnderTest& scheduler, slipway_list_query query,
                slipway_status stop = SLIPWAY_OK);

}  // namespace slipway::check
